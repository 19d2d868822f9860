import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';

/** Some lines of a log. */
export class JobLogDto {
  @ApiId()
  jobId!: string;

  /** From 1 without gaps, over all attempts. */
  @ApiProperty({ type: 'integer', minimum: 1 })
  number!: number;

  /**
   * One or more lines, without the last line end; at most 64 KiB.
   * @example 'Installing dependencies'
   */
  payload!: string;

  /** When the server received them. */
  @ApiTime()
  timestamp!: string;
}
