import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Sql } from '../../database/sql.js';
import { matchesWebhook } from '../webhooks/webhook-match.js';

/** An event that a webhook should have got. */
export interface MissedEvent {
  readonly eventId: string;
  readonly eventType: string;
  readonly objectId: string;
  readonly position: number;
}

/** Events that `$1`, a webhook, should have got since `$2`, behind the position `$3`. */
const MISSED = `FROM webhooks AS webhook JOIN events AS event ON ${matchesWebhook}
  WHERE webhook.id = $1 AND event.position > $3 AND event.created_at >= greatest($2, webhook.created_at)
    AND NOT EXISTS (
      SELECT FROM webhook_deliveries AS delivery
      WHERE delivery.webhook_id = webhook.id AND delivery.event_id = event.id AND delivery.status <> 'failed'
    )`;

/** SQL of deliveries that users ask for. */
@Injectable()
export class WebhookDeliveriesQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * Events of a webhook that are neither delivered nor pending, in the order of their positions; none from before the
   * webhook was created.
   *
   * @param after position of the last event of the batch before
   */
  findMissed(webhookId: string, since: Date, after: number, limit: number): Promise<MissedEvent[]> {
    return this.sql.query(
      `SELECT event.id AS "eventId", event.type AS "eventType", event.object_id AS "objectId",
              event.position ${MISSED}
       ORDER BY event.position LIMIT $4`,
      [webhookId, since, after, limit],
    );
  }

  /**
   * When the oldest of these events behind a position happened. That is no matter of positions: one whose transaction took
   * long has a later position than younger ones.
   *
   * @returns `null`: there are no more
   */
  async oldestMissed(webhookId: string, since: Date, after: number): Promise<Date | null> {
    const [row] = await this.sql.query<{ at: Date | null }>(`SELECT min(event.created_at) AS at ${MISSED}`, [
      webhookId,
      since,
      after,
    ]);
    return row?.at ?? null;
  }

  /** Makes failed and missing deliveries of events pending. @returns how many */
  async request(webhookId: string, events: readonly MissedEvent[]): Promise<number> {
    return this.sql.execute(
      `INSERT INTO webhook_deliveries AS delivery (id, webhook_id, event_id, event_type, object_id, position, status)
       SELECT new.id, $1, new.event_id, new.event_type, new.object_id, new.position, 'pending'
       FROM unnest($2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::bigint[])
         AS new (id, event_id, event_type, object_id, position)
       ON CONFLICT ON CONSTRAINT webhook_deliveries_webhook_id_event_id_key DO UPDATE
         SET status = 'pending', reason = NULL, set_aside = false, attempt_count = 0, failures = 0,
             failing_since = NULL, updated_at = now()
         WHERE delivery.status = 'failed'`,
      [
        webhookId,
        events.map(() => uuid()),
        events.map(({ eventId }) => eventId),
        events.map(({ eventType }) => eventType),
        events.map(({ objectId }) => objectId),
        events.map(({ position }) => position),
      ],
    );
  }

  /**
   * The first pending delivery that a pending one waits for: an earlier one of its object, or, in the order of all, any.
   *
   * @returns `null`: it is the first
   */
  async findEarlier(webhookId: string, id: string, isStrict: boolean): Promise<string | null> {
    const [row] = await this.sql.query<{ id: string }>(
      `SELECT earlier.id FROM webhook_deliveries AS delivery JOIN webhook_deliveries AS earlier
           ON earlier.webhook_id = delivery.webhook_id AND ($3 OR earlier.object_id = delivery.object_id)
       WHERE delivery.webhook_id = $1 AND delivery.id = $2 AND earlier.status = 'pending'
         AND (earlier.position, earlier.id) < (delivery.position, delivery.id)
       ORDER BY earlier.position, earlier.id LIMIT 1`,
      [webhookId, id, isStrict],
    );
    return row?.id ?? null;
  }

  /** Skips a delivery that is pending or failed. @returns the object if it was pending; `undefined`: it was neither */
  async skip(
    webhookId: string,
    id: string,
    reason: string,
  ): Promise<{ readonly objectId: string | null; readonly wasPending: boolean } | undefined> {
    const [row] = await this.sql.query<{ objectId: string | null; wasPending: boolean }>(
      `UPDATE webhook_deliveries AS delivery SET status = 'skipped', reason = $3, updated_at = now()
       FROM (SELECT id, status FROM webhook_deliveries WHERE webhook_id = $1 AND id = $2 FOR NO KEY UPDATE) AS before
       WHERE delivery.id = before.id AND before.status IN ('pending', 'failed')
       RETURNING delivery.object_id AS "objectId", before.status = 'pending' AS "wasPending"`,
      [webhookId, id, reason],
    );
    return row;
  }
}
