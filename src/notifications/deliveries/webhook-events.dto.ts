import { ApiProperty } from '@nestjs/swagger';
import { ApiId, ApiTime } from '../../common/openapi/api-fields.decorators.js';
import { type WebhookDisabledReason, webhookDisabledReasons } from '../webhooks/webhook.entity.js';

/** A webhook that an event is about. */
class WebhookEventDto {
  @ApiId()
  webhookId!: string;

  /** @example 'Chat of the team' */
  webhookName!: string;

  /** The app of the webhook; `null`: it belongs to the organization. */
  @ApiId()
  appId!: string | null;
}

/** A webhook that Slipway has disabled. */
export class WebhookDisabledEventDto extends WebhookEventDto {
  /**
   * `gone`: the receiver responded with 410; `failing`: nothing was delivered for five days; `app-transferred`: its app
   * moved to this organization.
   */
  @ApiProperty({ enum: webhookDisabledReasons, enumName: 'WebhookDisabledReason' })
  reason!: WebhookDisabledReason;
}

/** A webhook whose receiver does not work. */
export class WebhookFailingEventDto extends WebhookEventDto {
  /** When the first attempt failed. */
  @ApiTime()
  failingSince!: string;
}

/** A webhook whose receiver works again. */
export class WebhookRecoveredEventDto extends WebhookEventDto {
  /** When the first attempt had failed. */
  @ApiTime()
  failingSince!: string;

  /** Deliveries that were given up and are kept, up to 10,000: `POST …/recover` sends them. */
  @ApiProperty({ type: 'integer' })
  undelivered!: number;
}
