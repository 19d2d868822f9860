import type { WebhookFormat } from '../webhooks/webhook.entity.js';
import type { DeliverableEvent } from './deliverable-event.js';
import { discordMessage } from './discord.js';
import { rawMessage } from './raw.js';
import { slackMessage } from './slack.js';
import { teamsMessage } from './teams.js';

const messages: Readonly<Record<WebhookFormat, (event: DeliverableEvent) => object>> = {
  raw: rawMessage,
  slack: slackMessage,
  teams: teamsMessage,
  discord: discordMessage,
};

/**
 * What a webhook sends of an event.
 *
 * @returns JSON; the same for the same event
 */
export function bodyOf(format: WebhookFormat, event: DeliverableEvent): string {
  return JSON.stringify(messages[format](event));
}
