import { defineEvent } from '../../events/event-definition.js';
import type { WebhookDisabledReason } from '../webhooks/webhook.entity.js';
import { WebhookDisabledEventDto } from './webhook-delivery.dto.js';

const reasons: Readonly<Record<WebhookDisabledReason, string>> = {
  gone: 'The receiver responded with HTTP 410.',
  failing: 'Nothing was delivered for five days.',
  'app-transferred': 'Its app moved to another organization.',
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
    path: ({ organizationId, objectId, data }) =>
      data.appId === null
        ? `/v1/organizations/${organizationId}/webhooks/${objectId}`
        : `/v1/apps/${data.appId}/webhooks/${objectId}`,
    page: ({ organizationId, data }) =>
      data.appId === null ? `/organizations/${organizationId}/webhooks` : `/apps/${data.appId}/webhooks`,
  },
});
