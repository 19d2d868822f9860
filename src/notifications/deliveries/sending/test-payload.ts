import type { Webhook } from '../../webhooks/webhook.entity.js';

/** The kind of tests: it is only sent, never recorded. */
export const TEST_EVENT = 'webhook_test';

/** What a test sends, in the format `raw`. */
export interface TestPayload {
  readonly event: typeof TEST_EVENT;
  readonly data: { readonly webhookId: string; readonly webhookName: string };
  readonly id: string;
  readonly createdAt: string;
  readonly organizationId: string;
  readonly appId: string | null;
  readonly position: 0;
}

/** @param id of the message */
export function testPayloadOf(
  { id: webhookId, name: webhookName, organizationId, appId }: Webhook,
  id: string,
  now: Date,
): TestPayload {
  const data = { webhookId, webhookName };
  return { event: TEST_EVENT, data, id, createdAt: now.toISOString(), organizationId, appId, position: 0 };
}
