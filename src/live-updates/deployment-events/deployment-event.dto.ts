import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { DeploymentDto } from '../deployments/deployment.dto.js';
import { DeploymentSummaryDto } from './deployment-summary.dto.js';

/** A deployment as the API shows it, without related objects and names of people. */
export class DeploymentCreatedEventDto extends OmitType(DeploymentDto, [
  'appBuild',
  'job',
  'createdBy',
] as const) {}

/** A deployment that devices get from now on. */
export class DeploymentLiveEventDto extends DeploymentSummaryDto {
  /** Why approvals or a freeze were overridden for it; `null`: they were not. */
  @ApiProperty({ type: 'string', nullable: true })
  emergencyReason!: string | null;
}

export const rollBackReasons = ['older-build', 'share-withdrawn', 'plan-aborted'] as const;
export type RollBackReason = (typeof rollBackReasons)[number];

/** A deployment that was taken back: its devices get another one. */
export class DeploymentRolledBackEventDto extends DeploymentSummaryDto {
  /**
   * `older-build`: the channel was sent an older build, which it has delivered before; `share-withdrawn`: a user has set
   * the share to 0; `plan-aborted`: a user has aborted the rollout plan.
   */
  @ApiProperty({ enum: rollBackReasons })
  reason!: RollBackReason;

  /** The deployment that replaces it; `null`: the one before it does. */
  @ApiId()
  newAppDeploymentId!: string | null;
}
