import { Injectable } from '@nestjs/common';
import { Sql } from '../../../database/sql.js';

/** SQL of the events that a receiver has rejected in a row. */
@Injectable()
export class RejectionsQueries {
  constructor(private readonly sql: Sql) {}

  /** Whether one of these deliveries has one of these types. */
  async hasType(ids: readonly string[], types: readonly string[]): Promise<boolean> {
    const found = await this.sql.query(
      'SELECT FROM webhook_deliveries WHERE id = ANY ($1) AND event_type = ANY ($2) LIMIT 1',
      [ids, types],
    );
    return found.length > 0;
  }

  /** Whether others than these deliveries of a webhook are pending. */
  async hasOthers(webhookId: string, ids: readonly string[]): Promise<boolean> {
    const found = await this.sql.query(
      `SELECT FROM webhook_deliveries
       WHERE webhook_id = $1 AND status = 'pending' AND NOT set_aside AND NOT id = ANY ($2) LIMIT 1`,
      [webhookId, ids],
    );
    return found.length > 0;
  }

  /** Makes those pending again that failed first after a time. @returns how many */
  async restore(ids: readonly string[], after: Date): Promise<number> {
    return this.sql.execute(
      `UPDATE webhook_deliveries SET status = 'pending', reason = NULL, set_aside = false, updated_at = now()
       WHERE id = ANY ($1) AND status = 'failed' AND failing_since > $2`,
      [ids, after],
    );
  }
}
