import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsOneOf } from '../../common/validation/is-one-of.decorator.js';
import { IsText } from '../../common/validation/is-text.decorator.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { type JobStatus, jobStatuses, MAX_JOB_ATTEMPTS } from '../jobs/job.entity.js';

const outcomes = ['succeeded', 'failed', 'timed_out'] as const;

/** How a runner finishes its job. */
export class FinishJobDto {
  /** The attempt, as the claim said. */
  @IsWholeNumber(1, MAX_JOB_ATTEMPTS)
  attempt!: number;

  /** How it ended. */
  @IsOneOf(outcomes, 'JobOutcome')
  status!: (typeof outcomes)[number];

  /**
   * A sentence about it for people, without secrets. 300 characters of it are kept.
   * @example 'The command npm run build has failed.'
   */
  @IsNullable()
  @IsText(1000)
  statusMessage?: string | null;

  /** Length of the log of this attempt, in bytes. All of it must have arrived. */
  @IsWholeNumber(0, 1_000_000_000_000)
  logBytes!: number;

  /**
   * The step that failed.
   * @example 'build'
   */
  @IsNullable()
  @IsText(100)
  step?: string | null;
}

/** The status of a runner's job. */
export class RunnerJobDto {
  @ApiProperty({ enum: jobStatuses, enumName: 'JobStatus' })
  status!: JobStatus;
}

/** How far the log of a runner's job has arrived. */
export class LogProgressDto {
  /** Bytes of this attempt's log, as in `Upload-Offset`. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  logBytes!: number;
}

/** What a runner says with a beat. */
@ApiExample({ idleSeconds: 3 })
export class ExtendLeaseDto {
  /**
   * Seconds since the build printed something or got on; absent: only the log says that it does.
   */
  @IsNullable()
  @IsWholeNumber(0, 86_400)
  idleSeconds?: number | null;
}

/** A lease that was extended. */
export class ExtendedLeaseDto {
  /** When the job goes back, unless the runner reports before. */
  @ApiTime()
  expiresAt!: string;

  @ApiProperty({ enum: jobStatuses, enumName: 'JobStatus' })
  status!: JobStatus;
}
