import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsString, MaxLength } from 'class-validator';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { EmergencyInputDto, IsEmergency } from '../deployments/emergency.dto.js';

const MAX_LENGTH = 1000;

/** A decision against a deployment. */
export class RejectDeploymentDto {
  /** For people. */
  @IsNullable()
  @ApiPropertyOptional({ type: 'string', maxLength: MAX_LENGTH, nullable: true })
  @MaxLength(MAX_LENGTH, { message: `$property must be at most ${MAX_LENGTH} characters long.` })
  @IsString({ message: '$property must be a text.' })
  comment?: string | null;
}

/** A decision for a deployment. */
export class ApproveDeploymentDto extends RejectDeploymentDto {
  /**
   * Delivers the deployment at once, whoever created it, how many approvals it may lack, and in spite of a freeze. Takes
   * the permission `deployments:override`.
   */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;
}
