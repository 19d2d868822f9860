import { randomUUID } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import type { TestApp } from '../../builders/app.js';
import type { Site } from '../../builders/identities.js';
import { type EventValues, recordEvents } from '../events/events.js';

/** What matters to mails about an event. */
export interface NoticedEvent {
  readonly id: string;
  readonly objectId: string;
}

/**
 * Records an event of a kind that comes of periodic checks: no runner for a job of the app.
 *
 * @param values `missing`: a text in its data
 */
export async function recordUnmatchedJob(
  site: Site,
  app: Pick<TestApp, 'id' | 'tenant'>,
  values: Pick<EventValues, 'objectId' | 'userId' | 'at'> & { readonly missing?: string } = {},
): Promise<NoticedEvent> {
  const { objectId = uuid(), missing = 'No runner has the stack.', ...others } = values;
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
  const { organizationId } = app.tenant;
  const event = { id, type: 'job_unmatched', objectId, data, organizationId, appId: app.id, ...others };
  await recordEvents(site, [event]);
  return { id, objectId };
}

/** Records an event: an API token of a member expires. */
export async function recordExpiringToken(
  site: Site,
  organizationId: string,
  { tokenId, userId }: { readonly tokenId: string; readonly userId: string },
  at = new Date(),
): Promise<void> {
  const data = {
    tokenId,
    name: 'Release pipeline',
    userId,
    permissions: 'all',
    expiresAt: '2026-12-01T00:00:00.000Z',
    threshold: '7d',
  };
  await recordEvents(site, [{ organizationId, type: 'token_expiring', objectId: tokenId, data, at }]);
}
