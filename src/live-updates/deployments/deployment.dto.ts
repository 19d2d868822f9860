import { ApiProperty } from '@nestjs/swagger';
import { UserReferenceDto } from '../../accounts/users/user-reference.dto.js';
import { SubmissionDto } from '../../app-submissions/submissions/submission.dto.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { JobDto } from '../../jobs/jobs/job.dto.js';
import { BuildDto } from '../../native-builds/builds/build.dto.js';
import type { BundleWarning } from '../bundle-content/bundle-warnings.js';
import { BundleWarningDto } from '../bundle-content/bundle-warning.dto.js';
import type { PresentedStore } from '../store-deployments/store-deployments.presenter.js';
import { type ApprovalStatus, approvalStatuses, type Deployment } from './deployment.entity.js';
import { EmergencyDto } from './emergency.dto.js';

/** A build that was sent to a channel, or to a destination in a store. */
@ApiExample({ appChannelId: exampleId('Channel'), rolloutPercentage: 1, warnings: [] })
export class DeploymentDto {
  @ApiId()
  id!: string;

  @ApiId()
  appId!: string;

  @ApiId()
  appBuildId!: string;

  /** With the relation `appBuild`. */
  appBuild?: BuildDto;

  /** The channel; `null` for deployments to destinations. */
  @ApiId()
  appChannelId!: string | null;

  /** @example 'production' */
  appChannelName!: string | null;

  /** The destination; `null` for deployments to channels. */
  @ApiId()
  appDestinationId!: string | null;

  /** Name of the destination; `null` for deployments to channels. */
  appDestinationName!: string | null;

  /** The job that submits the build to a store; `null` for deployments to channels, which are effective at once. */
  @ApiId()
  jobId!: string | null;

  /** With the relation `job`. That of a deployment to a channel is derived, with the id of the deployment: it has succeeded. */
  job?: JobDto;

  /** Share of devices, or of users of the store, that receive the build, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  rolloutPercentage!: number;

  /** Only `approved` deployments are delivered. `pending`: not enough people have approved yet. */
  @ApiProperty({ enum: approvalStatuses })
  approvalStatus!: ApprovalStatus;

  /** People other than its creator who must approve it, as the channel required at creation. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 5 })
  requiredApprovals!: number;

  /** The user who created it; `null`: the user was deleted. */
  @ApiId()
  createdByUserId!: string | null;

  /** That user by name; `null`: the user was deleted. */
  @ApiProperty({ type: UserReferenceDto, nullable: true })
  createdBy!: UserReferenceDto | null;

  /** The last override of approvals or a freeze; `null`: never. */
  @ApiProperty({ type: EmergencyDto, nullable: true })
  emergency!: EmergencyDto | null;

  /** Texts for stores by locale; `null` for deployments to channels. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  releaseNotes!: Record<string, string> | null;

  /** Where the submission to the store is; `null` for deployments to channels. */
  @ApiProperty({ type: SubmissionDto, nullable: true })
  submission!: SubmissionDto | null;

  /** What may surprise on devices of the channel. Only responses to requests that deploy have any. */
  warnings!: BundleWarningDto[];

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** What belongs to a deployment besides its own columns: the requested related objects, its author, and the part of a store. */
export interface DeploymentParts {
  readonly appBuild?: BuildDto;
  readonly job?: JobDto;
  readonly store?: PresentedStore;
  readonly author?: UserReferenceDto;
}

/** The response for a deployment. @param channelName `null`: it goes to a store */
export function toDeploymentDto(
  deployment: Deployment,
  channelName: string | null,
  { appBuild, job, store, author }: DeploymentParts = {},
): DeploymentDto {
  return {
    id: deployment.id,
    appId: deployment.appId,
    appBuildId: deployment.buildId,
    ...(appBuild ? { appBuild } : {}),
    appChannelId: deployment.channelId,
    appChannelName: channelName,
    appDestinationId: deployment.destinationId,
    appDestinationName: store?.destinationName ?? null,
    jobId: store?.jobId ?? null,
    ...(job ? { job } : {}),
    rolloutPercentage: deployment.rolloutPercentage,
    approvalStatus: deployment.approvalStatus,
    requiredApprovals: deployment.requiredApprovals,
    createdByUserId: deployment.createdByUserId,
    createdBy: author ?? null,
    emergency: emergencyOf(deployment),
    releaseNotes: deployment.releaseNotes,
    submission: store?.submission ?? null,
    warnings: [],
    createdAt: deployment.createdAt.toISOString(),
    updatedAt: deployment.updatedAt.toISOString(),
  };
}

/** The response to a request that deploys. */
export function withWarnings(deployment: DeploymentDto, warnings: readonly BundleWarning[]): DeploymentDto {
  return { ...deployment, warnings: warnings.map(({ code, message }) => ({ code, message })) };
}

function emergencyOf({ emergencyAt, emergencyByUserId, emergencyReason }: Deployment): EmergencyDto | null {
  if (emergencyAt === null || emergencyReason === null) return null;
  return { at: emergencyAt.toISOString(), userId: emergencyByUserId, reason: emergencyReason };
}
