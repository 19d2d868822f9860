import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';

/** A runner of the organization that is not in contact any more. */
export class RunnerLostEventDto {
  @ApiId()
  runnerId!: string;

  /** @example 'mac-mini-2' */
  runnerName!: string;

  /** When it was last in contact. */
  @ApiTime()
  lastSeenAt!: string | null;
}
