import { ApiProperty } from '@nestjs/swagger';
import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { EXAMPLE_TIME, exampleId } from '../../common/openapi/example-values.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { type JobPlatform, jobPlatforms } from '../jobs/job.entity.js';

/** A queued job that no registered runner can do. */
@ApiExample({ platform: 'ios', labels: [], appBuildId: exampleId('Build'), queuedAt: EXAMPLE_TIME })
export class JobUnmatchedEventDto {
  @ApiId()
  jobId!: string;

  /** The build that it makes. */
  @ApiId()
  appBuildId!: string | null;

  @ApiProperty({ enum: jobPlatforms, enumName: 'JobPlatform' })
  platform!: JobPlatform;

  /** @example 'macos-tahoe' */
  stack!: string;

  /**
   * Labels that its runner must have.
   * @example ['xcode-26']
   */
  labels!: string[];

  /**
   * What no runner has, in a sentence.
   * @example 'No runner for ios has the stack macos-tahoe.'
   */
  missing!: string;

  /** When it began to wait for a runner. */
  @ApiTime()
  queuedAt!: string | null;
}
