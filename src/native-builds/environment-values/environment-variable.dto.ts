import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import type { EnvironmentVariable } from './environment-variable.entity.js';

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
