import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Sql } from '../../../database/sql.js';
import { matchesWebhook } from '../../webhooks/webhook-match.js';

/** An event that a webhook gets. */
export interface MatchedEvent {
  readonly webhookId: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly objectId: string;
  readonly position: number;
}

/** Rows of one statement. */
const BATCH = 5000;

/** SQL that gives events to webhooks. */
@Injectable()
export class DeliveryFanOutQueries {
  constructor(private readonly sql: Sql) {}

  /** Which webhooks get which of the events. These webhooks cannot be deleted until the transaction ends. */
  async match(eventIds: readonly string[]): Promise<MatchedEvent[]> {
    return this.sql.query(
      `SELECT webhook.id AS "webhookId", event.id AS "eventId", event.type AS "eventType",
              event.object_id AS "objectId", event.position
       FROM events AS event JOIN webhooks AS webhook ON ${matchesWebhook}
       WHERE event.id = ANY ($1)
       ORDER BY webhook.id, event.position
       FOR KEY SHARE OF webhook`,
      [eventIds],
    );
  }

  /** Makes deliveries that do not exist. */
  async insert(matches: readonly MatchedEvent[]): Promise<void> {
    for (let from = 0; from < matches.length; from += BATCH) {
      const rows = matches.slice(from, from + BATCH);
      await this.sql.execute(
        `INSERT INTO webhook_deliveries (id, webhook_id, event_id, event_type, object_id, position, status)
         SELECT new.id, new.webhook_id, new.event_id, new.event_type, new.object_id, new.position, 'pending'
         FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::uuid[], $6::bigint[])
           AS new (id, webhook_id, event_id, event_type, object_id, position)
         ON CONFLICT ON CONSTRAINT webhook_deliveries_webhook_id_event_id_key DO NOTHING`,
        [
          rows.map(() => uuid()),
          rows.map(({ webhookId }) => webhookId),
          rows.map(({ eventId }) => eventId),
          rows.map(({ eventType }) => eventType),
          rows.map(({ objectId }) => objectId),
          rows.map(({ position }) => position),
        ],
      );
    }
  }
}
