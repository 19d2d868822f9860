import { randomUUID } from 'node:crypto';
import { query } from '../setup/databases.js';
import { testEnvironment } from '../setup/test-environment.js';
import { expectCreated } from '../support/http/expect-created.js';
import type { Api } from '../support/http/api.js';
import { uniqueName } from '../support/unique-name.js';

/** A public address, which no test calls. */
export const WEBHOOK_URL = 'https://hooks.example.com/services/T0/B0/t0ken';

/** What has webhooks: an app or an organization. */
interface WebhookParent {
  /** Such as `/v1/apps/{id}`. */
  readonly path: string;
  readonly api: Api;
}

/** A webhook as the API shows it, and the way to it. */
export interface TestWebhook {
  readonly id: string;
  readonly name: string;
  /** `/v1/apps/{id}/webhooks/{id}`, or of an organization. */
  readonly path: string;
}

/** A webhook for all events, unless `values` say another. */
export async function createWebhook(parent: WebhookParent, values: object = {}): Promise<TestWebhook> {
  const path = `${parent.path}/webhooks`;
  const body = { name: uniqueName('webhook'), url: WEBHOOK_URL, events: ['*'], ...values };
  const shown = expectCreated<TestWebhook>(await parent.api.post(path, body));
  return { ...shown, path: `${path}/${shown.id}` };
}

/** A delivery of an event that was deleted, which failed. @returns its id */
export async function createDelivery(webhookId: string): Promise<string> {
  const id = randomUUID();
  await query(
    testEnvironment().databaseUrl,
    `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, position, status, reason)
     VALUES ($1, $2, $3, 'app_channel_paused', 1, 'failed', 'Test.')`,
    [id, webhookId, randomUUID()],
  );
  return id;
}
