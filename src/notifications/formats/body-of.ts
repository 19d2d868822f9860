import type { WebhookFormat } from '../webhooks/webhook.entity.js';
import type { DeliverableEvent } from './deliverable-event.js';
import { rawMessage } from './raw.js';

const messages: Readonly<Record<WebhookFormat, (event: DeliverableEvent) => object>> = {
  raw: rawMessage,
  slack: rawMessage,
  teams: rawMessage,
  discord: rawMessage,
};

/**
 * What a webhook sends of an event.
 *
 * @returns JSON; the same for the same event
 */
export function bodyOf(format: WebhookFormat, event: DeliverableEvent): string {
  return JSON.stringify(messages[format](event));
}
