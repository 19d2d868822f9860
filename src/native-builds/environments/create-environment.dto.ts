import { PartialType } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { RefuseMisnamedLimits } from '../../common/validation/unknown-fields/refuse-unknown-fields.decorator.js';
import { UseRestrictionsDto } from '../use-restrictions/use-restrictions.dto.js';
import { EnvironmentDto } from './environment.dto.js';

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
