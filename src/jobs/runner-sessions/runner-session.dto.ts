import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsLabels } from '../../common/validation/is-list-of-words.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsNullable, IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsPlatforms, IsStacks } from '../runners/ability.decorators.js';
import { type JobPlatform, jobPlatforms, type RunnerJobKind, runnerJobKinds } from '../jobs/job.entity.js';
import { MAX_LABELS } from '../runners/runner.entity.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { IsId } from '../../common/validation/is-id.decorator.js';
import type { JobConfig } from '../../config/groups/job-config.js';
import type { GrantedJob } from '../job-leases/job-leases.queries.js';
import { MAX_SLOTS } from './runner-session.entity.js';

/** What a runner reports about itself. */
export class CreateRunnerSessionDto {
  /**
   * The machine.
   * @example 'mac-mini-2'
   */
  @IsNullable()
  @IsName()
  name?: string | null;

  /**
   * Of the program.
   * @example '1.0.0'
   */
  @IsName(64)
  version!: string;

  /** @example 'linux' */
  @IsName(64)
  os!: string;

  /** @example 'x64' */
  @IsName(64)
  arch!: string;

  /** Platforms that it builds for. */
  @IsPlatforms()
  platforms!: JobPlatform[];

  /** Stacks that it has. A hint, except for iOS. */
  @IsStacks()
  stacks!: string[];

  @IsLabels(MAX_LABELS)
  labels!: string[];

  /**
   * Jobs that it works on at the same time, at most.
   * @example 1
   */
  @IsWholeNumber(1, MAX_SLOTS)
  slots!: number;
}

/** A session of a runner, and what the server asks of it. */
export class RunnerSessionDto {
  @ApiId()
  id!: string;

  @ApiId()
  runnerId!: string;

  /** The runner serves all organizations: it must not start without a sandbox. */
  sandboxRequired!: boolean;

  /**
   * How long a claim waits, in seconds.
   * @example 20
   */
  claimSeconds!: number;

  /**
   * How long a lease lasts unless it is renewed, in seconds.
   * @example 60
   */
  leaseSeconds!: number;

  /**
   * How often to renew it, in seconds.
   * @example 10
   */
  beatSeconds!: number;

  /**
   * Longest part of a log in one request, in bytes.
   * @example 65536
   */
  maxLogChunkBytes!: number;

  /**
   * Bytes of a log that are kept.
   * @example 4000000
   */
  maxLogBytes!: number;

  /**
   * How often to send new lines of a log, in seconds.
   * @example 1
   */
  logSeconds!: number;
}

const LowerCase = (): PropertyDecorator =>
  Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? value.toLowerCase() : value));

/** A request for a job. */
@ApiExample({ free: 1 })
export class ClaimDto {
  @LowerCase()
  @IsId()
  sessionId!: string;

  /** Made by the runner, a new one for each job. A repeated request with the same one gets the same job. */
  @LowerCase()
  @IsId()
  claimId!: string;

  /** How many more jobs the runner can work on, this one included; 1 if absent. */
  @IsAbsentOr()
  @IsWholeNumber(1, MAX_SLOTS)
  free?: number;
}

/** A job, as a runner gets it. `GET /v1/runner/job/payload` has the rest. */
export class ClaimedJobDto {
  @ApiId()
  id!: string;

  @ApiProperty({ enum: runnerJobKinds, enumName: 'JobKind' })
  kind!: RunnerJobKind;

  @ApiProperty({ enum: jobPlatforms, enumName: 'JobPlatform' })
  platform!: JobPlatform;

  /** @example 'macos-tahoe' */
  stack!: string;

  /**
   * 2 if another runner vanished with it.
   * @example 1
   */
  attempt!: number;

  @ApiId()
  appId!: string;

  @ApiId()
  organizationId!: string;

  /**
   * How long the job may take, in seconds.
   * @example 3600
   */
  timeoutSeconds!: number;

  /**
   * How long it may go without output, in seconds.
   * @example 1200
   */
  idleSeconds!: number;
}

/** How long a runner has a job. */
class ClaimLeaseDto {
  @ApiTime()
  expiresAt!: string;

  /**
   * How long it lasts from the last renewal, in seconds.
   * @example 60
   */
  seconds!: number;
}

/** A job for a runner, with the token of its requests about it. */
export class ClaimResponseDto {
  job!: ClaimedJobDto;

  /**
   * To be sent as `Authorization: Bearer …` with requests about the job. It ends with the lease.
   * @example 'slj_AZo0m4x8d1Kf3pQ2'
   */
  jobToken!: string;

  lease!: ClaimLeaseDto;
}

/** The response for a job that a runner got. */
export function toClaimResponseDto(
  granted: GrantedJob,
  jobToken: string,
  { idleSeconds, leaseSeconds }: JobConfig,
): ClaimResponseDto {
  return {
    job: {
      id: granted.jobId,
      kind: granted.kind as RunnerJobKind,
      platform: granted.platform as JobPlatform,
      stack: granted.stack,
      attempt: granted.attempt,
      appId: granted.appId,
      organizationId: granted.organizationId,
      timeoutSeconds: granted.timeoutSeconds,
      idleSeconds,
    },
    jobToken,
    lease: { expiresAt: granted.expiresAt.toISOString(), seconds: leaseSeconds },
  };
}
