import { ApiProperty } from '@nestjs/swagger';
import { ApiId } from '../../common/openapi/api-fields.decorators.js';
import { type WebhookDisabledReason, webhookDisabledReasons } from '../webhooks/webhook.entity.js';

/** A webhook that Slipway has disabled. */
export class WebhookDisabledEventDto {
  @ApiId()
  webhookId!: string;

  /** @example 'Chat of the team' */
  webhookName!: string;

  /** The app of the webhook; `null`: it belongs to the organization. */
  @ApiId()
  appId!: string | null;

  /**
   * `gone`: the receiver responded with 410; `failing`: nothing was delivered for five days; `app-transferred`: its app
   * moved to this organization.
   */
  @ApiProperty({ enum: webhookDisabledReasons, enumName: 'WebhookDisabledReason' })
  reason!: WebhookDisabledReason;
}
