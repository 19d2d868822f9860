import { Column, Entity, Unique } from 'typeorm';
import { EnvironmentValue } from './environment-value.entity.js';

export const ENVIRONMENT_VARIABLES_KEY_KEY = 'environment_variables_environment_id_key_key';

/** A variable of an environment, which everyone who sees the environment can read. */
@Entity('environment_variables')
@Unique(ENVIRONMENT_VARIABLES_KEY_KEY, ['environmentId', 'key'])
export class EnvironmentVariable extends EnvironmentValue {
  @Column('text')
  value!: string;
}
