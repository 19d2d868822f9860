import { ApiProperty, PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsObject, ValidateNested } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { MIN_MASKED } from '../../common/secrets/secret-forms.js';
import { IsEnvironmentKey, IsEnvironmentValue, MAX_VALUES } from './environment-value.decorators.js';
import { MAX_KEY_LENGTH } from './environment-key.js';
import type { EnvironmentSecret } from './environment-secret.entity.js';
import type { EnvironmentVariable } from './environment-variable.entity.js';

/** A new variable or secret. */
export class EnvironmentValueDto {
  /**
   * Unique in the environment, in this case of letters. `CI`, `CI_*`, `PATH`, `HOME`, `LD_*` and `DYLD_*` are reserved.
   * @example 'API_URL'
   */
  @IsEnvironmentKey()
  key!: string;

  /**
   * Any text of at most 32 KiB in UTF-8, without NUL characters.
   * @example 'https://api.example.com'
   */
  @IsEnvironmentValue()
  value!: string;
}

/** Changes to a variable or secret; absent fields stay as they are. */
@ApiExample({ value: 'https://api.example.com' })
export class UpdateEnvironmentValueDto extends PartialType(EnvironmentValueDto, {
  skipNullProperties: false,
}) {}

/** The list of `set`, as `ListBodyPipe` validates it. */
export class SetEnvironmentValuesDto {
  @ApiProperty({ type: [EnvironmentValueDto] })
  @ValidateNested({ each: true, message: 'The body must hold objects with key and value.' })
  @Type(() => EnvironmentValueDto)
  // Nested arrays would not be validated.
  @IsObject({ each: true, message: 'The body must hold objects with key and value.' })
  @ArrayMaxSize(MAX_VALUES, { message: `The body must hold at most ${MAX_VALUES} entries.` })
  @IsArray()
  items!: EnvironmentValueDto[];
}

/** The list of `unset`, as `ListBodyPipe` validates it. A key that cannot exist is as unknown as any other. */
export class UnsetEnvironmentValuesDto {
  @IsTextThat((text) => text.length <= MAX_KEY_LENGTH, 'The body must hold keys.', { each: true })
  @ArrayMaxSize(MAX_VALUES, { message: `The body must hold at most ${MAX_VALUES} keys.` })
  @IsArray()
  items!: string[];
}

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

/** A variable of an environment. */
export class EnvironmentVariableDto {
  @ApiId()
  id!: string;

  @ApiId()
  appEnvironmentId!: string;

  /** @example 'API_URL' */
  key!: string;

  /** @example 'https://api.example.com' */
  value!: string;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** The response for a variable. */
export function toEnvironmentVariableDto(variable: EnvironmentVariable): EnvironmentVariableDto {
  return {
    id: variable.id,
    appEnvironmentId: variable.environmentId,
    key: variable.key,
    value: variable.value,
    createdAt: variable.createdAt.toISOString(),
    updatedAt: variable.updatedAt.toISOString(),
  };
}
