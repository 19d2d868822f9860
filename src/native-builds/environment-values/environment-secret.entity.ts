import { Check, Column, Entity, Unique } from 'typeorm';
import { EnvironmentValue } from './environment-value.entity.js';

export const ENVIRONMENT_SECRETS_KEY_KEY = 'environment_secrets_environment_id_key_key';

/** A secret of an environment. Only builds get its value. */
@Entity('environment_secrets')
@Unique(ENVIRONMENT_SECRETS_KEY_KEY, ['environmentId', 'key'])
@Check('environment_secrets_sealed_value_check', `sealed_value LIKE 'v1.%'`)
export class EnvironmentSecret extends EnvironmentValue {
  /** The value as `SecretBox` sealed it, for the context `environment_secrets:<id>`. */
  @Column('text')
  sealedValue!: string;

  /** Whether the value is long enough to be masked in logs. */
  @Column('boolean')
  masked!: boolean;
}
