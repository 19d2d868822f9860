import { defineEvent, type NoticedEvent } from '../../events/event-definition.js';
import type { WebhookDisabledReason } from '../webhooks/webhook.entity.js';
import {
  WebhookDisabledEventDto,
  WebhookFailingEventDto,
  WebhookRecoveredEventDto,
} from './webhook-events.dto.js';

const reasons: Readonly<Record<WebhookDisabledReason, string>> = {
  gone: 'The receiver responded with HTTP 410.',
  failing: 'Nothing was delivered for five days.',
  'app-transferred': 'Its app moved to another organization.',
};

/** Where a mail leads. */
const addresses = {
  path: ({ organizationId, objectId, data }: NoticedEvent<{ readonly appId: string | null }>): string =>
    data.appId === null
      ? `/v1/organizations/${organizationId}/webhooks/${objectId}`
      : `/v1/apps/${data.appId}/webhooks/${objectId}`,
  page: ({ organizationId, data }: NoticedEvent<{ readonly appId: string | null }>): string =>
    data.appId === null ? `/organizations/${organizationId}/webhooks` : `/apps/${data.appId}/webhooks`,
};

export const webhookDisabled = defineEvent<WebhookDisabledEventDto>({
  type: 'webhook_disabled',
  title: 'Webhook disabled',
  description: 'Slipway, not a user, has disabled a webhook of the organization or of one of its apps.',
  permission: 'webhooks:read',
  of: 'organization',
  data: WebhookDisabledEventDto,
  facts: ({ webhookName, reason }) => ({ Webhook: webhookName, Reason: reasons[reason] }),
  severity: 'warning',
  notice: {
    kind: 'webhooks',
    to: 'readers',
    advice:
      'Repair the receiver, enable the webhook with PATCH, then get what it has missed with POST …/recover.',
    ...addresses,
  },
});

export const webhookFailing = defineEvent<WebhookFailingEventDto>({
  type: 'webhook_failing',
  title: 'Webhook failing',
  description: 'The receiver of a webhook has not worked for five minutes. Slipway tries again.',
  permission: 'webhooks:read',
  of: 'organization',
  data: WebhookFailingEventDto,
  facts: ({ webhookName, failingSince }) => ({ Webhook: webhookName, 'Failing since': failingSince }),
  severity: 'warning',
  notice: {
    kind: 'webhooks',
    to: 'readers',
    advice:
      'Look at the last attempts with GET …/deliveries, and repair the receiver. Events wait until it works.',
    ...addresses,
  },
});

export const webhookRecovered = defineEvent<WebhookRecoveredEventDto>({
  type: 'webhook_recovered',
  title: 'Webhook recovered',
  description: 'The receiver of a webhook that was reported as failing works again. What waits is sent.',
  permission: 'webhooks:read',
  of: 'organization',
  data: WebhookRecoveredEventDto,
  facts: ({ webhookName, failingSince, undelivered }) => ({
    Webhook: webhookName,
    'Failing since': failingSince,
    Undelivered: undelivered === 0 ? null : undelivered,
  }),
});
