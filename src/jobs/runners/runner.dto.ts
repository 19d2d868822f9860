import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsBoolean, MinDate } from 'class-validator';
import { databaseNow } from '../../common/database-clock.js';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_TIME } from '../../common/openapi/example-values.js';
import { type JobPlatform, jobPlatforms } from '../jobs/job.entity.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';
import { IsLabels } from '../../common/validation/is-list-of-words.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsAbsentOr, IsNullable } from '../../common/validation/optional.decorators.js';
import { RefuseUnknownFields } from '../../common/validation/refuse-unknown-fields.decorator.js';
import { RotateTokenDto } from '../../accounts/tokens/token.dto.js';
import type { RunnerContact } from './runners.queries.js';
import { type Runner, MAX_LABELS } from './runner.entity.js';
import { IsPlatforms, IsRunnerApps } from './ability.decorators.js';

/**
 * A runner: a program that builds, on a machine of yours or of the operator. What it reports about itself is that of its last
 * session. A shared runner shows its name and whether it is there only: all else is `null` or empty.
 */
@ApiExample({ lastSeenAt: EXAMPLE_TIME })
export class RunnerDto {
  @ApiId()
  id!: string;

  /** `null`: it is shared. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true })
  organizationId!: string | null;

  /** Whether it serves all organizations. Only the operator can change such a runner. */
  shared!: boolean;

  /** @example 'Mac in the office' */
  name!: string;

  /**
   * Labels besides those that the runner reports.
   * @example ['large']
   */
  labels!: string[];

  /** The only platforms that it gets jobs of; `null`: all that it reports. */
  @ApiProperty({ enum: jobPlatforms, enumName: 'JobPlatform', isArray: true, nullable: true })
  platforms!: JobPlatform[] | null;

  /** The only apps that it gets jobs of; `null`: all of the organization. */
  @ApiProperty({ type: [String], format: 'uuid', nullable: true })
  appIds!: string[] | null;

  /** Whether it finishes its jobs and gets no others. */
  paused!: boolean;

  /** Whether it was in contact within the last minute. */
  online!: boolean;

  /** When it was in contact last; `null`: never. */
  @ApiTime()
  lastSeenAt!: string | null;

  /**
   * The version of the program.
   * @example '1.0.0'
   */
  @ApiProperty({ type: 'string', nullable: true })
  version!: string | null;

  /** @example 'darwin' */
  @ApiProperty({ type: 'string', nullable: true })
  os!: string | null;

  /** @example 'arm64' */
  @ApiProperty({ type: 'string', nullable: true })
  arch!: string | null;

  /**
   * The machine, as the runner calls it.
   * @example 'mac-mini-2'
   */
  @ApiProperty({ type: 'string', nullable: true })
  machine!: string | null;

  /** Platforms that it reports. */
  @ApiProperty({ enum: jobPlatforms, enumName: 'JobPlatform', isArray: true })
  reportedPlatforms!: JobPlatform[];

  /**
   * Labels that it reports.
   * @example ['xcode-26']
   */
  reportedLabels!: string[];

  /**
   * Stacks that it reports.
   * @example ['macos-tahoe']
   */
  stacks!: string[];

  /** Jobs that it works on at the same time, at most; `null`: not known. */
  @ApiProperty({ type: 'integer', nullable: true, example: 2 })
  slots!: number | null;

  /** Ids of the jobs that it has. */
  @ApiProperty({ type: [String], format: 'uuid' })
  jobIds!: string[];

  /**
   * The last four characters of the token, to recognize it by; `null`: it is shared.
   * @example '5f0c'
   */
  @ApiProperty({ type: 'string', nullable: true })
  lastFour!: string | null;

  /** When the token expires; `null`: never. */
  @ApiTime()
  expiresAt!: string | null;

  /** Until when the token before the last rotation stays valid; `null`: it is not valid. */
  @ApiTime()
  previousExpiresAt!: string | null;

  /** The user who registered it; `null`: deleted, or the operator. */
  @ApiProperty({ type: 'string', format: 'uuid', nullable: true })
  createdBy!: string | null;

  @ApiTime()
  createdAt!: string;

  @ApiTime()
  updatedAt!: string;
}

/** A runner together with its token, which is never shown again. */
export class IssuedRunnerDto extends RunnerDto {
  /**
   * The token, which the runner sends as `Authorization: Bearer …`.
   * @example 'slr_0000000000000000000000000000000000000000fd9e6e2e'
   */
  token!: string;
}

/** A runner, and its token while that is known. */
export interface IssuedRunner {
  readonly runner: Runner;
  readonly secret: string;
}

/** The response for a runner. @param contact `undefined`: it was never in contact */
export function toRunnerDto(runner: Runner, contact: RunnerContact | undefined): RunnerDto {
  const { previousExpiresAt } = runner;
  return {
    ...toSharedRunnerDto(runner, contact),
    organizationId: runner.organizationId,
    shared: false,
    labels: runner.labels,
    platforms: runner.platforms as JobPlatform[] | null,
    appIds: runner.appIds,
    version: contact?.version ?? null,
    os: contact?.os ?? null,
    arch: contact?.arch ?? null,
    machine: contact?.name ?? null,
    reportedPlatforms: contact?.platforms ?? [],
    reportedLabels: contact?.labels ?? [],
    stacks: contact?.stacks ?? [],
    slots: contact?.slots ?? null,
    jobIds: contact?.jobIds ?? [],
    lastFour: runner.lastFour,
    expiresAt: runner.expiresAt?.toISOString() ?? null,
    previousExpiresAt:
      previousExpiresAt !== null && previousExpiresAt > databaseNow()
        ? previousExpiresAt.toISOString()
        : null,
    createdBy: runner.createdBy,
  };
}

/** The response for a runner that serves all organizations: nothing of its machine, its token, and what others build. */
export function toSharedRunnerDto(runner: Runner, contact: RunnerContact | undefined): RunnerDto {
  return {
    id: runner.id,
    organizationId: null,
    shared: true,
    name: runner.name,
    labels: [],
    platforms: null,
    appIds: null,
    paused: runner.isPaused,
    online: contact?.isOnline ?? false,
    lastSeenAt: contact?.lastSeenAt.toISOString() ?? null,
    version: null,
    os: null,
    arch: null,
    machine: null,
    reportedPlatforms: [],
    reportedLabels: [],
    stacks: [],
    slots: null,
    jobIds: [],
    lastFour: null,
    expiresAt: null,
    previousExpiresAt: null,
    createdBy: null,
    createdAt: runner.createdAt.toISOString(),
    updatedAt: runner.updatedAt.toISOString(),
  };
}

/** A new runner. Unknown fields are a 400. */
@RefuseUnknownFields(IssuedRunnerDto)
@ApiExample({ labels: ['large'] })
export class CreateRunnerDto {
  /**
   * For people.
   * @example 'Mac in the office'
   */
  @IsName()
  name!: string;

  /** Labels besides those that the runner reports. A job gets only a runner that has all of the job's. */
  @IsAbsentOr()
  @IsLabels(MAX_LABELS)
  labels?: string[];

  /** The only platforms that it gets jobs of; `null`: all that it reports. */
  @IsNullable()
  @IsPlatforms()
  @ApiProperty({ nullable: true })
  platforms?: JobPlatform[] | null;

  /** The only apps that it gets jobs of; `null`: all of the organization. */
  @IsNullable()
  @IsRunnerApps()
  appIds?: string[] | null;

  /** When the token expires, in the future; `null`: never. Also accepts Unix milliseconds. */
  @IsNullable()
  @MinDate(() => databaseNow(), { message: '$property must be in the future.' })
  @IsDateInput()
  expiresAt?: Date | null;

  /** `true`: the runner finishes its jobs and gets no others. */
  @IsAbsentOr()
  @IsBoolean({ message: '$property must be true or false.' })
  paused?: boolean;
}

/** How to rotate the token of a runner. Unknown fields are a 400. */
@RefuseUnknownFields(IssuedRunnerDto, 'runnerId')
@ApiExample({ overlapSeconds: 3600 })
export class RotateRunnerDto extends RotateTokenDto {}

/** Changes to a runner; absent fields stay as they are, `null` clears. They apply to the next job that it gets. Unknown fields are a 400. */
@RefuseUnknownFields(IssuedRunnerDto, 'runnerId')
@ApiExample({ paused: true })
export class UpdateRunnerDto extends PartialType(CreateRunnerDto, { skipNullProperties: false }) {}
