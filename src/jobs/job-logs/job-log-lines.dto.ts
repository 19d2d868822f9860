import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsInt, Max, Min } from 'class-validator';
import { ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsAbsentOr } from '../../common/validation/optional.decorators.js';
import { IsTextThat } from '../../common/validation/satisfies.decorator.js';
import { comparable } from './search-text.js';

/** Lines of a response, if the caller does not say how many. */
export const DEFAULT_LINES = 500;
/** Most lines of a response. */
export const MAX_LINES = 2000;
/** Most text of a response, in bytes of UTF-8. A longer line is a response of its own. */
export const MAX_TEXT = 1_048_576;
/** Longest text to search, in characters. */
const MAX_SEARCH = 200;
const MAX_NUMBER = 2_147_483_647;

export const stepStatuses = ['running', 'succeeded', 'failed', 'canceled'] as const;
export type StepStatus = (typeof stepStatuses)[number];

/** A line of a log. */
export class JobLogLineDto {
  /** From 1 without gaps, over all attempts. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  number!: number;

  /**
   * Without line end; at most 16 KiB as the runner sent it.
   * @example 'added 512 packages in 9s'
   */
  text!: string;

  /** When the server received it. */
  @ApiTime()
  timestamp!: string;
}

/** Some lines of a log. */
export class JobLogPageDto {
  /** Lines that the log has now. */
  @ApiProperty({ type: 'integer', minimum: 0 })
  totalLines!: number;

  /** Whether the job has ended and its whole log is stored. A later sentence of the server makes it `false` for a moment. */
  isComplete!: boolean;

  /** Whether the retention period has ended: the log was deleted. */
  isDeleted!: boolean;

  /** Ascending by number. */
  @ApiProperty({ type: [JobLogLineDto] })
  lines!: JobLogLineDto[];

  /** Lines of the whole log that contain the text; `null` without `search`. */
  @ApiProperty({ type: 'integer', minimum: 0, nullable: true })
  totalHits!: number | null;
}

/** A step of a job, read from the lines of its runner. */
export class JobLogStepDto {
  /** @example 'Installing dependencies' */
  name!: string;

  /** The number of its first line. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  firstLine!: number;

  /** The number of its last line so far. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  lastLine!: number;

  /** `endedAt` less the duration that the runner has measured; of a running step, when the server received its first line. */
  @ApiTime()
  startedAt!: string;

  /** When the server received its last line; `null`: it runs. */
  @ApiTime()
  endedAt!: string | null;

  @ApiProperty({ enum: stepStatuses, enumName: 'JobStepStatus' })
  status!: StepStatus;

  /** From 1; 2 after the first runner was lost. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  attempt!: number;
}

/** A whole number in the query. */
function Count(minimum: number, maximum: number, fallback?: number): PropertyDecorator {
  const ifAbsent = fallback === undefined ? {} : { default: fallback };
  return applyDecorators(
    ApiPropertyOptional({ type: 'integer', minimum, maximum, ...ifAbsent }),
    Transform(({ value }: { value: unknown }) =>
      typeof value === 'string' && /^-?\d{1,20}$/.test(value) ? Number(value) : value,
    ),
    IsAbsentOr(),
    IsInt({ message: '$property must be a whole number.' }),
    Min(minimum, { message: `$property must be at least ${minimum}.` }),
    Max(maximum, { message: `$property must be at most ${maximum}.` }),
  );
}

/** Which lines to get. Without any of the parameters, the response is the whole log in chunks. */
export class GetJobLogQuery {
  /** Get the first lines after the line of this number. */
  @Count(0, MAX_NUMBER)
  after?: number;

  /** Get the last lines before the line of this number. Without `after` and `before`: the last lines of the log. */
  @Count(1, MAX_NUMBER)
  before?: number;

  /** How many lines to return. A response has at most 1 MiB of text, so it can have fewer. */
  @Count(1, MAX_LINES, DEFAULT_LINES)
  limit?: number;

  /**
   * Get only lines that contain this text, in any case. Colors do not matter.
   * @example 'npm error'
   */
  @ApiPropertyOptional({ type: 'string', minLength: 1, maxLength: MAX_SEARCH })
  @IsAbsentOr()
  @IsTextThat(
    (text) => text.length > 0 && text.length <= MAX_SEARCH && comparable(text) !== '',
    `search must have 1 to ${MAX_SEARCH} characters besides colors.`,
  )
  search?: string;
}
