import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsNotEmpty, IsString } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EnvironmentSecretDto, EnvironmentVariableDto } from '../environment-values/environment-value.dto.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { RefuseMisnamedLimits } from '../../common/validation/refuse-unknown-fields.decorator.js';
import { UseRestrictionsDto } from '../use-restrictions/use-restrictions.dto.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { Relations } from '../../common/validation/relations.decorator.js';
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

/** A new environment. */
@RefuseMisnamedLimits(EnvironmentDto)
export class CreateEnvironmentDto extends UseRestrictionsDto {
  /**
   * Unique in the app, ignoring case.
   * @example 'production'
   */
  @IsName()
  name!: string;
}

/** Changes to an environment; absent fields stay as they are. */
@RefuseMisnamedLimits(EnvironmentDto)
@ApiExample({ name: 'production' })
export class UpdateEnvironmentDto extends PartialType(CreateEnvironmentDto, { skipNullProperties: false }) {}

/** What to include with an environment. */
export class GetEnvironmentQuery {
  @Relations('appEnvironmentVariables', 'appEnvironmentSecrets')
  relations?: string[];
}

/** Which environments to list. */
export class ListEnvironmentsQuery extends PageQuery {
  /** Only the environment with exactly this name, ignoring case. */
  @QueryText()
  name?: string;

  /** Only environments whose id or name contains this text, ignoring case. */
  @QueryText()
  query?: string;

  @Relations('appEnvironmentVariables', 'appEnvironmentSecrets')
  relations?: string[];
}

/** Which environment to delete. */
export class DeleteEnvironmentQuery {
  /**
   * The name of the environment, ignoring case.
   * @example 'production'
   */
  @IsNotEmpty({ message: '$property is required.' })
  @IsString({ message: '$property is required.' })
  name!: string;
}
