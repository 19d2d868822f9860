import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import type { EventOwner } from './events.queries.js';

/**
 * SQL of states that have one event when they begin. Periodic checks raise them at a threshold, and clear them at a lower
 * one, so that a value that swings around the threshold makes no second event.
 */
@Injectable()
export class EventConditionsQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * Begins a state. Call it in the transaction that records its event.
   *
   * @param threshold what was crossed, such as `0.8`; empty: there is only one
   * @returns whether it begins now: only then record the event. `false`: it has begun before, on any server
   */
  async raise(objectId: string, kind: string, threshold: string, owner: EventOwner): Promise<boolean> {
    const isOfApp = 'appId' in owner;
    const inserted = await this.sql.execute(
      `INSERT INTO event_conditions (object_id, kind, threshold, organization_id)
       SELECT $1, $2, $3, ${isOfApp ? 'organization_id FROM apps WHERE id = $4' : '$4'}
       ON CONFLICT DO NOTHING`,
      [objectId, kind, threshold, isOfApp ? owner.appId : owner.organizationId],
    );
    return inserted > 0;
  }

  /** Those of the objects that are not in a state. */
  async notRaised(objectIds: readonly string[], kind: string, threshold: string): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      `SELECT object.id FROM unnest($1::uuid[]) AS object (id)
        WHERE NOT EXISTS (SELECT FROM event_conditions AS state
                           WHERE state.object_id = object.id AND kind = $2 AND threshold = $3)`,
      [objectIds, kind, threshold],
    );
    return rows.map(({ id }) => id);
  }

  /** Ends states, so that they can begin again. */
  async clear(objectId: string, kind: string, thresholds: readonly string[]): Promise<void> {
    await this.sql.execute(
      'DELETE FROM event_conditions WHERE object_id = $1 AND kind = $2 AND threshold = ANY ($3)',
      [objectId, kind, thresholds],
    );
  }

  /**
   * Ends states that no longer hold, so that they can begin again, and those of objects that are gone.
   *
   * @param isOver a condition of SQL on `event_conditions AS state`, such as that its object does not exist
   * @param parameters from `$3` on
   */
  async clearWhere(
    kind: string,
    threshold: string,
    isOver: string,
    parameters: readonly unknown[] = [],
  ): Promise<void> {
    await this.sql.execute(
      `DELETE FROM event_conditions AS state WHERE kind = $1 AND threshold = $2 AND (${isOver})`,
      [kind, threshold, ...parameters],
    );
  }
}
