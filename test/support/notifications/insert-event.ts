import { randomUUID } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import type { TestApp } from '../../builders/app.js';
import type { OwnSite } from '../servers/own-site.js';

/** What matters to mails about an event. */
export interface InsertedEvent {
  readonly id: string;
  readonly objectId: string;
}

/**
 * Writes an event as the services do, of a kind that comes of periodic checks: no runner for a job of the app. Its id
 * is a random one: those of servers are checked.
 *
 * @param values `at`: when it happened, as SQL; `missing`: a text in its data
 */
export async function insertUnmatchedJob(
  site: OwnSite,
  app: Pick<TestApp, 'id' | 'tenant'>,
  values: { objectId?: string; userId?: string | null; missing?: string; at?: string } = {},
): Promise<InsertedEvent> {
  const { objectId = uuid(), userId = null, missing = 'No runner has the stack.', at = 'now()' } = values;
  const id = randomUUID();
  const data = {
    jobId: objectId,
    appBuildId: uuid(),
    platform: 'android',
    stack: 'ubuntu-24',
    labels: [],
    missing,
    queuedAt: '2026-11-26T17:00:00.000Z',
  };
  await site.query(
    `INSERT INTO events (id, created_at, type, object_id, user_id, data, app_id, organization_id)
     VALUES ($1, ${at}, 'job_unmatched', $2, $3, $4, $5, $6)`,
    [id, objectId, userId, JSON.stringify(data), app.id, app.tenant.organizationId],
  );
  return { id, objectId };
}

/** Writes an event as the services do: an API token of a member expires. @param at when it happened, as SQL */
export async function insertExpiringToken(
  site: OwnSite,
  organizationId: string,
  { tokenId, userId }: { tokenId: string; userId: string },
  at = 'now()',
): Promise<void> {
  const data = {
    tokenId,
    name: 'Release pipeline',
    userId,
    permissions: 'all',
    expiresAt: '2026-12-01T00:00:00.000Z',
    threshold: '7d',
  };
  await site.query(
    `INSERT INTO events (id, created_at, type, object_id, data, organization_id)
     VALUES ($1, ${at}, 'token_expiring', $2, $3, $4)`,
    [uuid(), tokenId, JSON.stringify(data), organizationId],
  );
}
