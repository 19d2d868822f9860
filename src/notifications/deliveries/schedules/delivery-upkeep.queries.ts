import { Injectable } from '@nestjs/common';
import { Sql } from '../../../database/sql.js';

/** What all webhooks together have to do. */
export interface DeliveryCounts {
  readonly pending: number;
  readonly failingWebhooks: number;
}

@Injectable()
export class DeliveryUpkeepQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * Deletes old deliveries, but no pending one whose event may still be sent.
   *
   * @param limit most rows to delete
   * @returns how many it deleted
   */
  deleteOld(days: number, limit: number): Promise<number> {
    return this.sql.execute(
      `DELETE FROM webhook_deliveries WHERE id IN (
         SELECT delivery.id FROM webhook_deliveries AS delivery
         WHERE delivery.created_at < now() - make_interval(days => $1)
           AND (
             delivery.status <> 'pending'
             OR NOT EXISTS (
               SELECT FROM events AS event
               WHERE event.id = delivery.event_id AND event.created_at >= now() - make_interval(days => $1)
             )
           )
         ORDER BY delivery.created_at LIMIT $2
       )`,
      [days, limit],
    );
  }

  async count(): Promise<DeliveryCounts> {
    const [counts] = await this.sql.query<DeliveryCounts>(
      `SELECT
         (SELECT count(*)::int FROM webhook_deliveries WHERE status = 'pending') AS pending,
         (SELECT count(*)::int FROM webhook_schedules WHERE failures > 0 OR busy_responses > 0) AS "failingWebhooks"`,
    );
    return counts ?? { pending: 0, failingWebhooks: 0 };
  }
}
