import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { IsLabels } from '../../common/validation/is-list-of-words.decorator.js';
import { IsName } from '../../common/validation/name.decorator.js';
import { IsNullable } from '../../common/validation/optional.decorators.js';
import { IsWholeNumber } from '../../common/validation/is-whole-number.decorator.js';
import { IsPlatforms, IsStacks } from '../runners/ability.decorators.js';
import type { JobPlatform } from '../jobs/job.entity.js';
import { MAX_LABELS } from '../runners/runner.entity.js';
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
