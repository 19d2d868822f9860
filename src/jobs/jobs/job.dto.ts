import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsIn } from 'class-validator';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { JobLogDto } from '../job-logs/job-log.dto.js';
import { PageQuery } from '../../common/pagination/page-query.dto.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import { IsEmptyOr } from '../../common/validation/optional.decorators.js';
import { Relations } from '../../common/validation/relations.decorator.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import {
  type Job,
  type JobKindName,
  type JobPlatform,
  jobPlatforms,
  type JobStatus,
  jobStatuses,
} from './job.entity.js';

/** Kinds whose jobs are about a build. */
const buildKinds: readonly JobKindName[] = ['build', 'import'];

/**
 * Work that is done in the background, such as a build. The job of an uploaded build, or of a deployment to a channel, is
 * derived from it: it has its id, and only the relation `job` shows it.
 */
export class JobDto {
  @ApiId()
  id!: string;

  /**
   * `queued`: waits for its turn; `pending`: a runner has it, or a bundle is being uploaded; `in_progress`: it runs. The
   * others are final. `rejected`: no runner can do it.
   */
  @ApiProperty({ enum: jobStatuses, enumName: 'JobStatus' })
  status!: JobStatus;

  /**
   * How it ended, in a sentence of at most 300 characters; `null`: there is nothing to say.
   * @example 'The command npm run build has failed.'
   */
  statusMessage!: string | null;

  @ApiId()
  appId!: string;

  @ApiId()
  organizationId!: string;

  /** The build that it makes, or imports. */
  @ApiId()
  appBuildId!: string | null;

  /** The deployment that it submits to a store, or was derived from. */
  @ApiId()
  appDeploymentId!: string | null;

  /** The platform that its runner builds for, or of the destination; `null`: neither. */
  @ApiProperty({ type: 'string', enum: [...jobPlatforms, null], nullable: true })
  platform!: JobPlatform | null;

  /**
   * The machine that the build asks for; of a submission, the one that the app uses. Empty: neither.
   * @example 'macos-tahoe'
   */
  stack!: string;

  /**
   * Labels that its runner must have.
   * @example ['xcode-26']
   */
  labels!: string[];

  /** How often a runner started it: 2 when the first one was lost; 0 if no runner executes it. */
  @ApiProperty({ type: 'integer', minimum: 0, maximum: 2 })
  attempts!: number;

  /**
   * How long one attempt may run, in seconds; `null`: nothing runs.
   * @example 3600
   */
  @ApiProperty({ type: 'integer', minimum: 60, maximum: 86400, nullable: true })
  timeoutInSeconds!: number | null;

  /**
   * The step that failed; `null`: none did, or the runner did not say.
   * @example 'build'
   */
  failedStep!: string | null;

  /** The runner that has it, or had it last. */
  @ApiId()
  runnerId!: string | null;

  /** Its log. Only with the relation `jobLogs`; of a derived job always, and empty. */
  @ApiPropertyOptional({ type: [JobLogDto] })
  jobLogs?: readonly JobLogDto[];

  /** When it began to wait for a runner. */
  @ApiTime()
  queuedAt!: string | null;

  /** When a runner got it. */
  @ApiTime()
  pendingAt!: string | null;

  /** When the runner started it. */
  @ApiTime()
  inProgressAt!: string | null;

  @ApiTime()
  canceledAt!: string | null;

  /** When it got a final status. */
  @ApiTime()
  finishedAt!: string | null;

  /** Id of the user. */
  @ApiId()
  canceledBy!: string | null;

  /** From `queuedAt` to `pendingAt`, in whole seconds. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 0 })
  queueTimeInSeconds!: number | null;

  /** From `pendingAt` to `inProgressAt`, in whole seconds. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 0 })
  pendingTimeInSeconds!: number | null;

  /** From `inProgressAt` to `finishedAt`, in whole seconds. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 0 })
  inProgressTimeInSeconds!: number | null;

  /** From `createdAt` to `finishedAt`, in whole seconds. */
  @ApiProperty({ type: 'integer', nullable: true, minimum: 0 })
  totalTimeInSeconds!: number | null;

  @ApiTime()
  createdAt!: string;

  /** Id of the user; `null`: an automation, an uploaded bundle, or the user was deleted. */
  @ApiId()
  createdBy!: string | null;
}

/** The response for a job. @param logs its log, for the relation */
export function toJobDto(job: Job, logs?: readonly JobLogDto[]): JobDto {
  return {
    id: job.id,
    status: job.status,
    statusMessage: job.statusMessage,
    appId: job.appId,
    organizationId: job.organizationId,
    appBuildId: buildKinds.includes(job.kind) ? job.subjectId : null,
    appDeploymentId: job.kind === 'submission' ? job.subjectId : null,
    platform: job.platform,
    stack: job.stack ?? '',
    labels: job.labels,
    attempts: job.attempts,
    timeoutInSeconds: job.timeoutSeconds,
    failedStep: job.failedStep,
    runnerId: job.runnerId,
    ...(logs === undefined ? {} : { jobLogs: logs }),
    queuedAt: iso(job.queuedAt),
    pendingAt: iso(job.pendingAt),
    inProgressAt: iso(job.inProgressAt),
    canceledAt: iso(job.canceledAt),
    finishedAt: iso(job.finishedAt),
    canceledBy: job.canceledBy,
    queueTimeInSeconds: secondsBetween(job.queuedAt, job.pendingAt ?? job.inProgressAt),
    pendingTimeInSeconds: secondsBetween(job.pendingAt, job.inProgressAt),
    inProgressTimeInSeconds: secondsBetween(job.inProgressAt, job.finishedAt),
    totalTimeInSeconds: secondsBetween(job.createdAt, job.finishedAt),
    createdAt: job.createdAt.toISOString(),
    createdBy: job.createdBy,
  };
}

function iso(time: Date | null): string | null {
  return time?.toISOString() ?? null;
}

/** Whole seconds between two times, rounded down; `null` when there is none of them. Clocks that differ make no negative ones. */
export function secondsBetween(from: Date | null, to: Date | null): number | null {
  return from === null || to === null
    ? null
    : Math.max(0, Math.floor((to.getTime() - from.getTime()) / 1000));
}

/** A list of statuses as one text, which becomes a list. One decorator: the plugin of Swagger would make it an array. */
export function JobStatuses(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({ type: 'string', example: 'queued,in_progress' }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && value !== '' ? value.split(',') : value,
    ),
    IsEmptyOr(),
    IsIn(jobStatuses, { each: true, message: `status must be a list of ${jobStatuses.join(', ')}.` }),
  );
}

/** What to include with a job. */
export class GetJobQuery {
  @Relations('jobLogs')
  relations?: string[];
}

/** Which jobs to list. */
export class ListJobsQuery extends PageQuery {
  /** The organization. */
  @IsId()
  organizationId!: string;

  /** Only jobs with one of these statuses, separated by commas. */
  @JobStatuses()
  status?: string[];
}

/** The only change of a job: to cancel it. */
export class UpdateJobDto {
  @IsOneOf(['canceled'], 'JobChange')
  status!: 'canceled';
}
