import { randomUUID } from 'node:crypto';
import { v7 as uuid } from 'uuid';
import type { Site } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { eventually } from '../eventually.js';

/** An event as it is stored. */
export interface StoredEvent extends Record<string, unknown> {
  readonly id: string;
  readonly serial: number;
  readonly position: number | null;
  readonly type: string;
  readonly objectId: string;
  readonly appId: string | null;
  readonly data: Record<string, unknown>;
}

/** The statement by which services record events. Its parameters are `recordValues`. */
export const RECORD = `INSERT INTO events (id, type, object_id, data, organization_id, app_id, user_id, created_at)
  VALUES ($1, $2, $3, $4, $5, $6, $7, coalesce($8::timestamptz, now()))`;

/** What an event is written with. */
export interface EventValues {
  readonly id?: string;
  readonly organizationId: string;
  readonly appId?: string | null;
  readonly objectId?: string;
  readonly type?: string;
  readonly data?: object;
  readonly userId?: string | null;
  /** When it happened. @default now */
  readonly at?: Date;
}

/** The parameters of `RECORD`. The id is a random one: servers make others, and only their events are checked. */
export function recordValues({
  id = randomUUID(),
  organizationId,
  appId = null,
  objectId = uuid(),
  type = 'app_channel_paused',
  data = {},
  userId = null,
  at,
}: EventValues): unknown[] {
  return [id, type, objectId, JSON.stringify(data), organizationId, appId, userId, at];
}

/** Records events in transactions of their own, each as a service does, without waking the dispatcher. */
export async function recordEvents(site: Site, events: readonly EventValues[]): Promise<void> {
  for (const event of events) await query(site.databaseUrl, RECORD, recordValues(event));
}

/** The events of an organization, those with positions first. */
export function storedEvents(site: Site, organizationId: string): Promise<StoredEvent[]> {
  return query<StoredEvent>(
    site.databaseUrl,
    `SELECT id, serial::int, position::int, type, object_id AS "objectId", app_id AS "appId", data
       FROM events WHERE organization_id = $1 ORDER BY position NULLS LAST, serial`,
    [organizationId],
  );
}

/** Waits until all events of an organization have positions. @returns these events, in their order */
export function dispatchedEvents(site: Site, organizationId: string, count: number): Promise<StoredEvent[]> {
  return eventually(async () => {
    const events = await storedEvents(site, organizationId);
    expect(events.filter(({ position }) => position !== null)).toHaveLength(count);
    return events;
  });
}

/** Waits until the events that there are have positions. */
export async function settleEvents(site: Site, organizationId: string): Promise<void> {
  await eventually(async () => {
    const events = await storedEvents(site, organizationId);
    expect(events.filter(({ position }) => position === null)).toEqual([]);
  });
}

/** Forgets what has happened in an organization, such as its creation: its next event has the position 1. */
export async function forgetEvents(site: Site, organizationId: string): Promise<void> {
  await settleEvents(site, organizationId);
  await query(site.databaseUrl, 'DELETE FROM events WHERE organization_id = $1', [organizationId]);
  await query(site.databaseUrl, 'DELETE FROM event_positions WHERE organization_id = $1', [organizationId]);
}
