import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { MIN_MASKED } from '../../common/secrets/secret-forms.js';
import type { EnvironmentSecret } from './environment-secret.entity.js';
import type { EnvironmentValueDto } from './environment-value.dto.js';

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

/** The response for secrets that were set. Of several with one key, the last counts. */
export function toSetEnvironmentSecretsDto(values: readonly EnvironmentValueDto[]): SetEnvironmentSecretsDto {
  const byKey = new Map(values.map(({ key, value }) => [key, value]));
  const short = [...byKey.keys()].filter((key) => (byKey.get(key) ?? '').length < MIN_MASKED);
  const keys = short.toSorted().join(', ');
  return { warning: keys === '' ? null : `Logs cannot mask values of fewer than 4 characters: ${keys}.` };
}
