import { ApiExample } from '../../common/openapi/api-example.decorator.js';
import { ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { IsDateInput } from '../../common/validation/date-input.decorator.js';

/** From when on events are sent again that were not delivered. */
@ApiExample({ since: '2026-01-15T08:00:00.000Z' })
export class RecoverWebhookDto {
  /** At most `EVENT_RETENTION_DAYS` ago. Events from before the webhook was created are not sent. */
  @IsDateInput()
  since!: Date;
}

/** What is sent again. */
@ApiExample({ requested: 42, continueFrom: null })
export class RecoveryDto {
  /** Number of deliveries that are pending by this request. */
  requested!: number;

  /** There are more: send the request again with this as `since`. `null`: these were all. */
  @ApiTime()
  continueFrom!: string | null;
}
