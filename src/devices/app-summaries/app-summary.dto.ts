import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { UserReferenceDto } from '../../accounts/users/user.dto.js';
import {
  type SubmissionAction,
  submissionActions,
  type SubmissionState,
  submissionStates,
} from '../../app-submissions/submissions/submission.entity.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_TIME } from '../../common/openapi/example-values.js';
import { IdList } from '../../common/validation/id-list.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { type JobStatus, jobStatuses } from '../../jobs/jobs/job.entity.js';
import { type BuildPlatform, buildPlatforms } from '../../native-builds/builds/build.entity.js';
import { RolloutStepDto } from '../../live-updates/rollout-plans/rollout-plan.dto.js';
import {
  type PlanReason,
  planReasons,
  type PlanState,
  planStates,
} from '../../live-updates/rollout-plans/rollout-plan.entity.js';

/** Most apps of one request. */
const MAX_APPS = 100;
/** Larger offsets cost without end, and no app has so many channels. */
const MAX_OFFSET = 1_000_000;

/** The devices of a day. */
@ApiExample({ daily: 812 })
export class AppSummaryDayDto {
  @ApiProperty({ format: 'date' })
  day!: string;

  /** Seen on the day (UTC). */
  @ApiProperty({ type: 'integer', minimum: 0 })
  daily!: number;
}

/** A plan that raises the share of a deployment step by step. */
@ApiExample({ state: 'running', stepIndex: 0, stepEndsAt: EXAMPLE_TIME })
export class AppSummaryPlanDto {
  /** In their order. */
  @ApiProperty({ type: [RolloutStepDto] })
  steps!: RolloutStepDto[];

  @ApiProperty({ enum: planStates })
  state!: PlanState;

  /** Why it is held or aborted; otherwise `null`. */
  @ApiProperty({ type: 'string', enum: [...planReasons, null], nullable: true })
  reason!: PlanReason | null;

  /** Index of the current step, from 0; `null` before the start. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  stepIndex!: number | null;

  /** When the next step is due; `null` unless it is running. */
  @ApiTime()
  stepEndsAt!: string | null;

  /** End of the freeze that the next step waits for; otherwise `null`. */
  @ApiTime()
  frozenUntil!: string | null;
}

/** What a channel delivers. */
@ApiExample({ rolloutPercentage: 0.25, devices: 3102 })
export class AppSummaryDeploymentDto {
  @ApiId()
  id!: string;

  @ApiId()
  appBuildId!: string;

  /**
   * Number of the build, as decimal text.
   * @example '42'
   */
  numberAsString!: string;

  /**
   * Name of the build for people.
   * @example '2.4.1'
   */
  displayName!: string | null;

  /** Hash of the commit that was built. */
  gitCommitSha!: string | null;

  /** Share of devices that receive it, 0 to 1. */
  @ApiProperty({ minimum: 0, maximum: 1 })
  rolloutPercentage!: number;

  /** When it was last taken back, as deployments have it; with a share of 0 and `null`, it has not been delivered yet. */
  @ApiTime()
  takenBackAt!: string | null;

  /** Its plan; `null`: it has none. */
  @ApiProperty({ type: AppSummaryPlanDto, nullable: true })
  plan!: AppSummaryPlanDto | null;

  /** Devices of the channel seen in thirty days that ran its bundle at their last check; `null`: not counted yet. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  devices!: number | null;

  /** The user who created it; `null`: the user was deleted. */
  @ApiProperty({ type: UserReferenceDto, nullable: true })
  createdBy!: UserReferenceDto | null;

  @ApiTime()
  createdAt!: string;
}

/** A channel with what it delivers, and to how many devices. */
@ApiExample({ daily: 609, monthly: 12410 })
export class AppSummaryChannelDto {
  @ApiId()
  id!: string;

  /** @example 'production' */
  name!: string;

  /** Start of the pause; `null`: not paused. */
  @ApiTime()
  pausedAt!: string | null;

  /** Delivery stops at this time; `null`: never. */
  @ApiTime()
  expiresAt!: string | null;

  /** The active deployment: the newest approved one; `null`: there is none. */
  @ApiProperty({ type: AppSummaryDeploymentDto, nullable: true })
  deployment!: AppSummaryDeploymentDto | null;

  /** Devices of the channel seen today (UTC); `null`: not counted yet. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  daily!: number | null;

  /** Devices of the channel seen in the thirty days that end today; `null`: not counted yet. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  monthly!: number | null;
}

/** The newest build of an app, with the status of its job. */
@ApiExample({ platform: 'web', status: 'succeeded' })
export class AppSummaryBuildDto {
  @ApiId()
  id!: string;

  /**
   * Sequential per app, from 1, as decimal text.
   * @example '42'
   */
  numberAsString!: string;

  @ApiProperty({ enum: buildPlatforms, enumName: 'BuildPlatform' })
  platform!: BuildPlatform;

  @ApiProperty({ enum: jobStatuses, enumName: 'JobStatus' })
  status!: JobStatus;

  /** Name for people. */
  displayName!: string | null;

  /** Branch, tag or commit that was built. */
  gitRef!: string | null;

  /** Hash of the commit. */
  gitCommitSha!: string | null;

  @ApiTime()
  createdAt!: string;
}

/** Work in a store that has not ended. */
@ApiExample({ action: 'submit', state: 'preparing' })
export class AppSummarySubmissionDto {
  @ApiId()
  id!: string;

  @ApiId()
  appDestinationId!: string;

  /** @example 'Internal testing' */
  appDestinationName!: string;

  @ApiProperty({ enum: submissionActions })
  action!: SubmissionAction;

  @ApiProperty({ enum: submissionStates, enumName: 'SubmissionState' })
  state!: SubmissionState;

  /** One sentence about the state; `null`: there is nothing to say. */
  message!: string | null;

  /**
   * The version that users see.
   * @example '2.4.1'
   */
  versionName!: string | null;

  @ApiTime()
  createdAt!: string;
}

/** How an app is doing. */
@ApiExample({
  daily: 812,
  monthly: 12_410,
  totalChannels: 1,
  totalOpenSubmissions: 1,
  countedAt: EXAMPLE_TIME,
})
export class AppSummaryDto {
  @ApiId()
  appId!: string;

  /** When its devices were counted; `null`: not yet. Ask again in a few seconds. */
  @ApiTime()
  countedAt!: string | null;

  /** Devices seen today (UTC); `null`: not counted yet. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  daily!: number | null;

  /** Devices seen in the thirty days that end today; `null`: not counted yet. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  monthly!: number | null;

  /** The devices of the last 14 days, oldest first. Days without counts are missing. */
  @ApiProperty({ type: [AppSummaryDayDto] })
  days!: AppSummaryDayDto[];

  /**
   * Those with the most devices in thirty days first, then the default channel, then by name; at most 20, from
   * `channelOffset` on.
   */
  @ApiProperty({ type: [AppSummaryChannelDto] })
  channels!: AppSummaryChannelDto[];

  /** Number of channels of the app. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  totalChannels!: number;

  /** `null`: there is none. */
  @ApiProperty({ type: AppSummaryBuildDto, nullable: true })
  lastBuild!: AppSummaryBuildDto | null;

  /** Submissions and changes of releases that have not ended, newest first, at most 10. */
  @ApiProperty({ type: [AppSummarySubmissionDto] })
  openSubmissions!: AppSummarySubmissionDto[];

  /** Number of these. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  totalOpenSubmissions!: number;
}

/** Which apps to summarize. */
export class ListAppSummariesQuery {
  /** Ids of at most 100 apps of the organization, separated by commas. */
  @IdList(MAX_APPS)
  ids!: string[];

  /** Channels to skip, of one app. */
  @ApiPropertyOptional({ default: 0 })
  @Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d{1,9}$/.test(value) ? Number(value) : value,
  )
  @IsEmptyOr()
  @IsWholeNumber(0, MAX_OFFSET)
  channelOffset?: number;
}
