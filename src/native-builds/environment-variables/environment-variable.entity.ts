import { Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { Row } from '../../database/schema/row.entity.js';
import { Environment } from '../environments/environment.entity.js';

export const ENVIRONMENT_VARIABLES_KEY_KEY = 'environment_variables_environment_id_key_key';

/** A variable of an environment, which everyone who sees the environment can read. */
@Entity('environment_variables')
@Unique(ENVIRONMENT_VARIABLES_KEY_KEY, ['environmentId', 'key'])
export class EnvironmentVariable extends Row {
  /** The app of the environment. */
  @Index()
  @Column('uuid')
  @ForeignKey(() => App, { onDelete: 'CASCADE' })
  appId!: string;

  @Column('uuid')
  @ForeignKey(() => Environment, { onDelete: 'CASCADE' })
  environmentId!: string;

  @Column('text')
  key!: string;

  @Column('text')
  value!: string;
}
