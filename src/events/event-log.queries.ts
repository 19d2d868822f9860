import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import { RecordedEvent } from './event.entity.js';

/** An event that has its position. */
export type DispatchedEvent = Omit<RecordedEvent, 'position'> & { readonly position: number };

/** An event without a position, and what it belongs to. */
export interface WaitingEvent {
  readonly id: string;
  readonly organizationId: string;
  readonly appId: string | null;
}

/** What waits for the dispatcher. */
export interface Backlog {
  readonly events: number;
  /** Age of the oldest one, in seconds; 0: there is none. */
  readonly lagSeconds: number;
}

/** SQL that gives events their positions, under the lock of the dispatcher. */
@Injectable()
export class EventLogQueries {
  constructor(private readonly sql: Sql) {}

  /** Takes the lock of the dispatcher until the transaction ends. @returns `false`: another server has it */
  async tryLock(): Promise<boolean> {
    const [row] = await this.sql.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtextextended('slipway:events', 0)) AS locked`,
    );
    return row?.locked === true;
  }

  /** Takes the lock of the dispatcher until the transaction ends: waits until no server dispatches. */
  async lock(): Promise<void> {
    await this.sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('slipway:events', 0))`);
  }

  /**
   * Events of committed transactions that have no position, in the order of their serials.
   *
   * @param exceptOf ids of organizations and apps whose events are left out
   */
  findWaiting(limit: number, exceptOf: readonly string[]): Promise<WaitingEvent[]> {
    return this.sql.query(
      `SELECT id, organization_id AS "organizationId", app_id AS "appId" FROM events
        WHERE position IS NULL AND organization_id <> ALL ($2) AND (app_id IS NULL OR app_id <> ALL ($2))
        ORDER BY serial LIMIT $1`,
      [limit, exceptOf],
    );
  }

  /**
   * Keeps organizations and apps until the transaction ends.
   *
   * @returns ids of those that are kept, without those that are being deleted or are locked for long
   */
  async keepOwners(organizationIds: readonly string[], appIds: readonly string[]): Promise<Set<string>> {
    const organizations = await this.sql.query<{ id: string }>(
      'SELECT id FROM organizations WHERE id = ANY ($1) FOR KEY SHARE SKIP LOCKED',
      [organizationIds],
    );
    const apps = await this.sql.query<{ id: string }>(
      'SELECT id FROM apps WHERE id = ANY ($1) FOR KEY SHARE SKIP LOCKED',
      [appIds],
    );
    return new Set([...organizations, ...apps].map(({ id }) => id));
  }

  /**
   * Gives events the next positions in their organizations and the current epoch, in the order of their serials.
   *
   * @returns the events in the order of their serials
   */
  async number(ids: readonly string[]): Promise<DispatchedEvent[]> {
    const rows = await this.sql.query<DispatchedEvent>(
      `WITH batch AS (
         SELECT id, organization_id, count(*) OVER (PARTITION BY organization_id) AS size,
                row_number() OVER (PARTITION BY organization_id ORDER BY serial) AS number
           FROM events WHERE id = ANY ($1) AND position IS NULL
       ), counter AS (
         INSERT INTO event_positions (organization_id, position)
         SELECT DISTINCT organization_id, size FROM batch
             ON CONFLICT (organization_id) DO UPDATE SET position = event_positions.position + EXCLUDED.position
         RETURNING organization_id, position
       )
       UPDATE events AS event
          SET position = counter.position - batch.size + batch.number,
              epoch = (SELECT id FROM event_epochs ORDER BY id DESC LIMIT 1)
         FROM batch JOIN counter USING (organization_id)
        WHERE event.id = batch.id
       RETURNING ${this.sql.columns(RecordedEvent, 'event')}`,
      [ids],
    );
    return rows.sort((a, b) => a.serial - b.serial);
  }

  /** Signals at the commit that organizations have new events. @param payload see `EVENTS` */
  async announce(topic: string, payload: string): Promise<void> {
    await this.sql.query('SELECT pg_notify($1, $2)', [topic, payload]);
  }

  async backlog(): Promise<Backlog> {
    const [row] = await this.sql.query<Backlog>(
      `SELECT count(*)::int AS events,
              coalesce(extract(epoch FROM clock_timestamp() - min(created_at)), 0)::float8 AS "lagSeconds"
         FROM events WHERE position IS NULL`,
    );
    return row ?? { events: 0, lagSeconds: 0 };
  }
}
