import { Injectable } from '@nestjs/common';
import { Sql } from '../../../database/sql.js';
import { trusted } from '../schedules/trusted-times.js';

/** What is pending of a webhook. */
export interface PendingWork {
  /** Whether there is a delivery that is not known to be set aside. */
  readonly hasNext: boolean;
  /** Milliseconds until the first of the objects that are set aside is tried again; `null`: there are none. */
  readonly asideIn: number | null;
}

/** SQL of the objects that are set aside. */
@Injectable()
export class ObjectsAsideQueries {
  constructor(private readonly sql: Sql) {}

  /** Whether the events of a webhook that is enabled need the order of their objects only. */
  async isByObject(webhookId: string): Promise<boolean> {
    const found = await this.sql.query(
      `SELECT FROM webhooks WHERE id = $1 AND enabled AND ordering = 'object'`,
      [webhookId],
    );
    return found.length > 0;
  }

  async count(webhookId: string): Promise<number> {
    const [row] = await this.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM webhook_objects_aside WHERE webhook_id = $1',
      [webhookId],
    );
    return row?.count ?? 0;
  }

  /** Those whose first pending event is tried now, which was planned earliest first. */
  async findDue(webhookId: string): Promise<string[]> {
    const rows = await this.sql.query<{ objectId: string }>(
      `SELECT object_id AS "objectId" FROM webhook_objects_aside
       WHERE webhook_id = $1 AND (retry_at <= now() OR NOT ${trusted('retry_at')}) ORDER BY retry_at`,
      [webhookId],
    );
    return rows.map(({ objectId }) => objectId);
  }

  /** When the first pending event of an object is tried. @returns `null`: it is not set aside */
  async nextOf(webhookId: string, objectId: string | null): Promise<Date | null> {
    const [row] = await this.sql.query<{ retryAt: Date }>(
      `SELECT retry_at AS "retryAt" FROM webhook_objects_aside WHERE webhook_id = $1 AND object_id = $2`,
      [webhookId, objectId],
    );
    return row?.retryAt ?? null;
  }

  /** Sets an object aside, or plans its next attempt. @param wait milliseconds from now */
  async retry(webhookId: string, objectId: string, wait: number): Promise<void> {
    await this.sql.execute(
      `INSERT INTO webhook_objects_aside (webhook_id, object_id, wait_ms, retry_at)
       VALUES ($1, $2, $3, clock_timestamp() + $3::bigint * interval '1 millisecond')
       ON CONFLICT (webhook_id, object_id) DO UPDATE
         SET wait_ms = EXCLUDED.wait_ms, retry_at = EXCLUDED.retry_at`,
      [webhookId, objectId, wait],
    );
  }

  /** Lets the pending deliveries of an object wait beside the others, if it is set aside. */
  async hide(webhookId: string, objectId: string): Promise<void> {
    await this.sql.execute(
      `UPDATE webhook_deliveries SET set_aside = true, updated_at = now()
       WHERE webhook_id = $1 AND object_id = $2 AND status = 'pending' AND NOT set_aside
         AND EXISTS (SELECT FROM webhook_objects_aside WHERE webhook_id = $1 AND object_id = $2)`,
      [webhookId, objectId],
    );
  }

  /** Releases an object of which nothing is pending. @returns whether it did */
  async release(webhookId: string, objectId: string): Promise<boolean> {
    const released = await this.sql.execute(
      `DELETE FROM webhook_objects_aside WHERE webhook_id = $1 AND object_id = $2
         AND NOT EXISTS (
           SELECT FROM webhook_deliveries WHERE webhook_id = $1 AND object_id = $2 AND status = 'pending'
         )`,
      [webhookId, objectId],
    );
    return released > 0;
  }

  /** Releases all objects, and lets their deliveries follow in the order of all. @returns whether there are such */
  async releaseAll(webhookId: string): Promise<boolean> {
    await this.sql.execute('DELETE FROM webhook_objects_aside WHERE webhook_id = $1', [webhookId]);
    const released = await this.sql.execute(
      `UPDATE webhook_deliveries SET set_aside = false
       WHERE webhook_id = $1 AND status = 'pending' AND set_aside`,
      [webhookId],
    );
    return released > 0;
  }

  /** Tries objects again now. @param objectId `null`: all */
  async hurry(webhookId: string, objectId: string | null): Promise<void> {
    await this.sql.execute(
      `UPDATE webhook_objects_aside SET wait_ms = 0, retry_at = clock_timestamp()
       WHERE webhook_id = $1 AND ($2::uuid IS NULL OR object_id = $2)`,
      [webhookId, objectId],
    );
  }

  async findWork(webhookId: string): Promise<PendingWork> {
    const [row] = await this.sql.query<PendingWork>(
      `SELECT EXISTS (
                SELECT FROM webhook_deliveries WHERE webhook_id = $1 AND status = 'pending' AND NOT set_aside
              ) AS "hasNext",
              (SELECT ceil(greatest(extract(epoch FROM retry_at - clock_timestamp()) * 1000, 0))::float8
                 FROM webhook_objects_aside WHERE webhook_id = $1 ORDER BY retry_at LIMIT 1) AS "asideIn"`,
      [webhookId],
    );
    return row ?? { hasNext: false, asideIn: null };
  }

  /**
   * Deliveries that may show whether the receiver works although it fails for one: the first ones of other objects, those
   * of other types first, then those that were tried least.
   */
  async findProbes(
    webhookId: string,
    { objectId, eventType }: { readonly objectId: string; readonly eventType: string },
    limit: number,
  ): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      `WITH pending AS (
         SELECT id, object_id, event_type, position, attempt_count FROM webhook_deliveries
         WHERE webhook_id = $1 AND status = 'pending' AND NOT set_aside ORDER BY position, id LIMIT ${SEARCHED}
       ), firsts AS (
         SELECT DISTINCT ON (object_id) id, event_type, position, attempt_count FROM pending
         WHERE object_id <> $2 AND NOT EXISTS (
           SELECT FROM webhook_objects_aside AS aside
           WHERE aside.webhook_id = $1 AND aside.object_id = pending.object_id
         )
         ORDER BY object_id, position, id
       )
       SELECT id FROM firsts ORDER BY event_type = $3, attempt_count, position LIMIT $4`,
      [webhookId, objectId, eventType, limit],
    );
    return rows.map(({ id }) => id);
  }
}

/** Pending deliveries among which other objects are searched for: an object may have very many. */
const SEARCHED = 20_000;
