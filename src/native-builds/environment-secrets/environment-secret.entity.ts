import { Check, Column, Entity, ForeignKey, Index, Unique } from 'typeorm';
import { App } from '../../apps/apps/app.entity.js';
import { Row } from '../../database/schema/row.entity.js';
import { Environment } from '../environments/environment.entity.js';

export const ENVIRONMENT_SECRETS_KEY_KEY = 'environment_secrets_environment_id_key_key';

/** A secret of an environment. Only builds get its value. */
@Entity('environment_secrets')
@Unique(ENVIRONMENT_SECRETS_KEY_KEY, ['environmentId', 'key'])
@Check('environment_secrets_sealed_value_check', `sealed_value LIKE 'v1.%'`)
export class EnvironmentSecret extends Row {
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

  /** The value as `SecretBox` sealed it, for the context `environment_secrets:<id>`. */
  @Column('text')
  sealedValue!: string;

  /** Whether the value is long enough to be masked in logs. */
  @Column('boolean')
  masked!: boolean;
}
