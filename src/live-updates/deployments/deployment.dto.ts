import { ApiProperty } from '@nestjs/swagger';
import { UserReferenceDto } from '../../accounts/users/user.dto.js';
import { SubmissionDto } from '../../app-submissions/submissions/submission.dto.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { etagOf } from '../../common/etags/version.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { exampleId } from '../../common/openapi/example-values.js';
import { JobDto } from '../../jobs/jobs/job.dto.js';
import { BuildDto } from '../../native-builds/builds/build.dto.js';
import type { Warning } from '../../common/warnings/warning.js';
import { toWarningDtos, WarningDto } from '../../common/warnings/warning.dto.js';
import { DeploymentHealthDto } from '../deployment-health/deployment-health.dto.js';
import { RolloutPlanDto } from '../rollout-plans/rollout-plan.dto.js';
import type { PresentedStore } from '../store-deployments/store-deployments.presenter.js';
import { IsComment } from '../../common/validation/comment.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsShare } from '../../common/validation/is-share.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { QueryText } from '../../common/validation/query-text.decorator.js';
import { Relations } from '../../common/validation/relations.decorator.js';
import { EmergencyDto, EmergencyInputDto, IsEmergency, toEmergencyDto } from './emergency.dto.js';
import { type ApprovalStatus, approvalStatuses, type Deployment } from './deployment.entity.js';

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

  /** With the relation `rolloutPlan`: its rollout plan; `null`: it has none. */
  @ApiProperty({ type: RolloutPlanDto, nullable: true, required: false })
  rolloutPlan?: RolloutPlanDto | null;

  /** With the relation `health`: device counts, as `GET …/health` has them; `null` for deployments to destinations. */
  @ApiProperty({ type: DeploymentHealthDto, nullable: true, required: false })
  health?: DeploymentHealthDto | null;

  /** Share of devices, or of users of the store, that receive the build, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  rolloutPercentage!: number;

  /**
   * When it was last taken back, or stopped by its health gate; `null`: never, or not since its share became 1. With a
   * share of 0 and `null`, it has not been delivered yet.
   */
  @ApiTime()
  takenBackAt!: string | null;

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

  /** The user who changed it last; `null`: no user, such as a step of its rollout plan, or the user was deleted. */
  @ApiProperty({ type: UserReferenceDto, nullable: true })
  updatedBy!: UserReferenceDto | null;

  /** The last override of approvals or a freeze; `null`: never. */
  @ApiProperty({ type: EmergencyDto, nullable: true })
  emergency!: EmergencyDto | null;

  /** What is new in a deployment to a channel; `null`: nothing is said, or it goes to a store. */
  @ApiProperty({ type: 'string', nullable: true })
  notes!: string | null;

  /** What a user said last who created it, changed its share or aborted its rollout plan; `null`: nothing. */
  @ApiProperty({ type: 'string', nullable: true })
  comment!: string | null;

  /**
   * Highest Android `versionCode` that receives it, as `maxNativeVersion` was resolved when it was created; `null`: no such
   * maximum. The constraints of the build apply, too.
   */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  maxAndroidAppVersionCode!: string | null;

  /** Highest iOS `CFBundleVersion` that receives it, likewise. */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  maxIosAppVersionCode!: string | null;

  /** Highest Electron version that receives it, likewise. */
  @ApiProperty({ type: 'string', nullable: true, example: null })
  maxElectronAppVersionCode!: string | null;

  /** Texts for stores by locale; `null` for deployments to channels. */
  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, nullable: true })
  releaseNotes!: Record<string, string> | null;

  /** Where the submission to the store is; `null` for deployments to channels. */
  @ApiProperty({ type: SubmissionDto, nullable: true })
  submission!: SubmissionDto | null;

  /** What may surprise about a deployment. Only responses to requests that deploy or change the share have any. */
  warnings!: WarningDto[];

  /**
   * Send it as `If-Match` to change the deployment only if it is still as shown here.
   * @example '"0199b0c2-7c1e-7ce4-a683-e7013a18cdf3.2."'
   */
  etag!: string;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** What belongs to a deployment besides its own columns: the requested related objects, people, and the part of a store. */
export interface DeploymentParts {
  readonly appBuild?: BuildDto;
  readonly job?: JobDto;
  readonly rolloutPlan?: RolloutPlanDto | null;
  readonly health?: DeploymentHealthDto | null;
  readonly store?: PresentedStore;
  readonly createdBy?: UserReferenceDto | null;
  readonly updatedBy?: UserReferenceDto | null;
}

/** The response for a deployment. @param channelName `null`: it goes to a store */
export function toDeploymentDto(
  deployment: Deployment,
  channelName: string | null,
  { appBuild, job, rolloutPlan, health, store, createdBy, updatedBy }: DeploymentParts = {},
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
    ...(rolloutPlan === undefined ? {} : { rolloutPlan }),
    ...(health === undefined ? {} : { health }),
    rolloutPercentage: deployment.rolloutPercentage,
    takenBackAt: deployment.takenBackAt?.toISOString() ?? null,
    approvalStatus: deployment.approvalStatus,
    requiredApprovals: deployment.requiredApprovals,
    createdByUserId: deployment.createdByUserId,
    createdBy: createdBy ?? null,
    updatedBy: updatedBy ?? null,
    emergency: toEmergencyDto(deployment),
    notes: deployment.notes,
    comment: deployment.comment,
    maxAndroidAppVersionCode: deployment.maxAndroidAppVersionCode,
    maxIosAppVersionCode: deployment.maxIosAppVersionCode,
    maxElectronAppVersionCode: deployment.maxElectronAppVersionCode,
    releaseNotes: deployment.releaseNotes,
    submission: store?.submission ?? null,
    warnings: [],
    etag: etagOf(deployment),
    createdAt: deployment.createdAt.toISOString(),
    updatedAt: deployment.updatedAt.toISOString(),
  };
}

/** The response to a request that deploys. */
export function withWarnings(deployment: DeploymentDto, warnings: readonly Warning[]): DeploymentDto {
  return { ...deployment, warnings: toWarningDtos(warnings) };
}

/** A change to a deployment. */
@ApiExample({ rolloutPercentage: 0.5 })
export class UpdateDeploymentDto {
  /**
   * Share of devices, or of users of the store, that receive the build, 0 to 1. Raising the share keeps the devices that
   * already receive it.
   */
  @IsShare()
  rolloutPercentage!: number;

  /** Raises the share even during a freeze. Requires the permission `deployments:override`. */
  @IsEmergency()
  emergency?: EmergencyInputDto | null;

  /** Comment for people, at most 1,000 characters; absent: the last one stays, `null`: it is cleared. */
  @IsComment()
  comment?: string | null;
}

/** What to include with a deployment. */
export class GetDeploymentQuery {
  @Relations('appBuild', 'job', 'job.jobLogs', 'rolloutPlan', 'health')
  relations?: string[];
}

/** Which deployments to list. */
export class ListDeploymentsQuery extends PageQuery {
  /** Only deployments of this build. */
  @IsEmptyOr()
  @IsId()
  appBuildId?: string;

  /** Only deployments to this channel. */
  @IsEmptyOr()
  @IsId()
  appChannelId?: string;

  /** Only deployments to this store destination. */
  @IsEmptyOr()
  @IsId()
  appDestinationId?: string;

  /** Only deployments of builds of this branch, tag or commit. */
  @QueryText()
  appGitCommit?: string;

  /** Only deployments whose id contains this text. */
  @QueryText()
  query?: string;

  @Relations('appBuild', 'job', 'job.jobLogs', 'rolloutPlan', 'health')
  relations?: string[];
}
