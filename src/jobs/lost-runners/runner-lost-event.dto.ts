import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { EXAMPLE_TIME } from '../../common/openapi/example-values.js';

/** A runner of the organization that is not in contact any more. */
@ApiExample({ lastSeenAt: EXAMPLE_TIME })
export class RunnerLostEventDto {
  @ApiId()
  runnerId!: string;

  /** @example 'mac-mini-2' */
  runnerName!: string;

  /** When it was last in contact. */
  @ApiTime()
  lastSeenAt!: string | null;
}
