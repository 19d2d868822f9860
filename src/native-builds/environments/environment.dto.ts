import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EnvironmentSecretDto } from '../environment-values/environment-secret.dto.js';
import { EnvironmentVariableDto } from '../environment-values/environment-variable.dto.js';
import type { Environment } from './environment.entity.js';

/** Variables and secrets that builds can use together. */
@ApiExample({ allowedRefs: [] })
export class EnvironmentDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  /** @example 'production' */
  name!: string;

  /** Patterns of the only branches and tags whose builds can use it; empty: all can. */
  allowedRefs!: string[];

  /** Whether using and changing it requires the permission `environments:use`. */
  protected!: boolean;

  /** The variables by key, with the relation `appEnvironmentVariables`. */
  @ApiProperty({ type: [EnvironmentVariableDto], required: false })
  appEnvironmentVariables?: EnvironmentVariableDto[];

  /** The secrets by key, without their values, with the relation `appEnvironmentSecrets`. */
  @ApiProperty({ type: [EnvironmentSecretDto], required: false })
  appEnvironmentSecrets?: EnvironmentSecretDto[];

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** What was requested besides the environment itself. */
export interface EnvironmentRelations {
  readonly variables?: EnvironmentVariableDto[] | undefined;
  readonly secrets?: EnvironmentSecretDto[] | undefined;
}

/** The response for an environment. */
export function toEnvironmentDto(
  environment: Environment,
  { variables, secrets }: EnvironmentRelations = {},
): EnvironmentDto {
  return {
    id: environment.id,
    appId: environment.appId,
    name: environment.name,
    allowedRefs: environment.allowedRefs,
    protected: environment.protected,
    ...(variables && { appEnvironmentVariables: variables }),
    ...(secrets && { appEnvironmentSecrets: secrets }),
    createdAt: environment.createdAt.toISOString(),
    updatedAt: environment.updatedAt.toISOString(),
  };
}
