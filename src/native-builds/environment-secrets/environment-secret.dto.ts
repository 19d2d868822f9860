import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import type { EnvironmentSecret } from './environment-secret.entity.js';

/** A secret of an environment, without its value. */
export class EnvironmentSecretDto {
  @ApiId()
  id!: string;

  @ApiId()
  appEnvironmentId!: string;

  /** @example 'API_KEY' */
  key!: string;

  /** Whether logs of builds mask the value. They cannot mask values of fewer than 4 characters. */
  masked!: boolean;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The result of setting secrets. */
export class SetEnvironmentSecretsDto {
  /**
   * Names the secrets that logs of builds cannot mask, because they have fewer than 4 characters; `null`: there are none.
   * @example 'Logs cannot mask values of fewer than 4 characters: PIN.'
   */
  warning!: string | null;
}

/** The response for a secret. */
export function toEnvironmentSecretDto(secret: EnvironmentSecret): EnvironmentSecretDto {
  return {
    id: secret.id,
    appEnvironmentId: secret.environmentId,
    key: secret.key,
    masked: secret.masked,
    createdAt: secret.createdAt.toISOString(),
    updatedAt: secret.updatedAt.toISOString(),
  };
}
