import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { EmergencyInputDto, IsEmergency } from '../deployments/emergency.dto.js';

const MAX_LENGTH = 1000;

/** A rejection of a deployment. */
@ApiExample({ comment: 'The checkout is broken.' })
export class RejectDeploymentDto {
  /** Comment for people, at most 1,000 characters. */
  @IsNullable()
  @ApiPropertyOptional({ type: 'string', maxLength: MAX_LENGTH, nullable: true })
  @MaxLength(MAX_LENGTH, { message: `$property must be at most ${MAX_LENGTH} characters long.` })
  @IsString({ message: '$property must be a text.' })
  comment?: string | null;
}

/** An approval of a deployment. */
@ApiExample({ comment: 'Tested on three devices.' })
export class ApproveDeploymentDto extends RejectDeploymentDto {
  /**
   * Delivers the deployment at once, without further approvals and during a freeze. Requires the permission
   * `deployments:override`.
   */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;
}
