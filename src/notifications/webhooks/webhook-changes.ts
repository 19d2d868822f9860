import { Injectable } from '@nestjs/common';
import { Listeners } from '../../common/listeners.js';
import type { Webhook } from './webhook.entity.js';

/** Changes of webhooks that their deliveries follow, in the transactions of these. */
@Injectable()
export class WebhookChanges {
  /** A webhook was updated, enabled or disabled, by a user or by Slipway. */
  readonly changed = new Listeners<[before: Webhook, after: Webhook]>();
  /** A webhook is about to be deleted. It is locked against changes, but may still get deliveries. */
  readonly deleting = new Listeners<[webhookId: string]>();
}
