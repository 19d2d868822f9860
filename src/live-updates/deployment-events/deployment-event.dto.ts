import { ApiProperty, OmitType } from '@nestjs/swagger';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { DeploymentDto } from '../deployments/deployment.dto.js';
import type { EventFacts } from '../../events/event-definition.js';
import { percent } from '../../events/facts.js';

/** A deployment as events about it name it. */
export class DeploymentSummaryDto {
  @ApiId()
  appDeploymentId!: string;

  @ApiId()
  appBuildId!: string;

  /** Number of the build in its app. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  appBuildNumber!: number;

  /** The automation that started the build; `null`: none did. */
  @ApiId()
  appAutomationId!: string | null;

  /** The channel; `null`: it goes to a destination. */
  @ApiId()
  appChannelId!: string | null;

  /** @example 'production' */
  appChannelName!: string | null;

  /** The destination; `null`: it goes to a channel. */
  @ApiId()
  appDestinationId!: string | null;

  /** Name of the destination; `null`: it goes to a channel. */
  appDestinationName!: string | null;

  /** Share of devices, or of users of the store, that receive the build from now on, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  rolloutPercentage!: number;
}

/** What people want to know of a deployment first. */
export function factsOfDeployment(deployment: DeploymentSummaryDto): EventFacts {
  return {
    Channel: deployment.appChannelName,
    Destination: deployment.appDestinationName,
    Build: deployment.appBuildNumber,
    Share: percent(deployment.rolloutPercentage),
  };
}

/** A deployment as the API shows it, without related objects and names of people. */
export class DeploymentCreatedEventDto extends OmitType(DeploymentDto, [
  'appBuild',
  'job',
  'rolloutPlan',
  'health',
  'createdBy',
  'updatedBy',
  'takenBackAt',
  'etag',
] as const) {
  /** The automation that started the build; `null`: none did. */
  @ApiId()
  appAutomationId!: string | null;
}

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

  /** What the user said; `null`: nothing. */
  @ApiProperty({ type: 'string', nullable: true })
  comment!: string | null;
}

/** The fields of a deployment that a user can change. */
class DeploymentSettingsDto {
  /** Share of devices that receive the build, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  rolloutPercentage!: number;
}

/** A deployment to a channel whose share a user has changed. */
export class DeploymentShareChangedEventDto extends DeploymentSummaryDto {
  /** The changed fields as they were. */
  before!: DeploymentSettingsDto;

  /** The changed fields as they are now. */
  after!: DeploymentSettingsDto;

  /** What the user said; `null`: nothing. */
  @ApiProperty({ type: 'string', nullable: true })
  comment!: string | null;
}

/** A deployment whose bundle many devices roll back. */
export class RollbacksHighEventDto extends DeploymentSummaryDto {
  /** Devices that have run its bundle. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  appliedDevices!: number;

  /** Devices among them that went back to another bundle. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  rolledBackDevices!: number;

  /** Share of the devices that went back, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  rollbackShare!: number;

  /** The share that was crossed: 0.05 or 0.2. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  threshold!: number;
}

/** A deployment that needs approvals, and what happened to them. */
export class ApprovalEventDto extends DeploymentSummaryDto {
  /** The user who created the deployment; `null`: the user was deleted. */
  @ApiId()
  createdByUserId!: string | null;

  /** The user who requested, gave, withdrew or refused the approval; `null`: no user, for example because its time is over. */
  @ApiId()
  userId!: string | null;

  /** People other than its creator who must approve it. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 5 })
  requiredApprovals!: number;

  /** Approvals that are still needed; 0: it goes live, or is submitted. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 5 })
  missingApprovals!: number;

  /** What the user wrote, or why Slipway rejected it; `null`: nothing. */
  @ApiProperty({ type: 'string', nullable: true })
  comment!: string | null;

  /** Why the other approvals were overridden; `null`: they were not. */
  @ApiProperty({ type: 'string', nullable: true })
  emergencyReason!: string | null;
}
