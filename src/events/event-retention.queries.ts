import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';

/** Age of an event, in days by the clock of the database. */
const IS_OLD = 'created_at < now() - make_interval(days => $1)';

@Injectable()
export class EventRetentionQueries {
  constructor(private readonly sql: Sql) {}

  /** Organizations with old events that have positions. */
  async organizationsWithOldEvents(days: number): Promise<string[]> {
    const rows = await this.sql.query<{ organizationId: string }>(
      `SELECT DISTINCT organization_id AS "organizationId" FROM events
        WHERE ${IS_OLD} AND position IS NOT NULL`,
      [days],
    );
    return rows.map(({ organizationId }) => organizationId);
  }

  /**
   * Deletes the first events of an organization in the order of their positions, up to the first one that is not old, and
   * notes how far.
   *
   * @param limit most events to delete
   * @returns how many it deleted
   */
  async deleteFirst(organizationId: string, days: number, limit: number): Promise<number> {
    const [row] = await this.sql.query<{ deleted: number }>(
      `WITH first AS (
         SELECT position, ${IS_OLD} AS is_old FROM events
          WHERE organization_id = $2 AND position IS NOT NULL ORDER BY position LIMIT $3
       ), boundary AS (
         SELECT coalesce(min(position) FILTER (WHERE NOT is_old), max(position) + 1) AS position FROM first
       ), deleted AS (
         DELETE FROM events USING boundary
          WHERE events.organization_id = $2 AND events.position < boundary.position
         RETURNING events.position
       ), noted AS (
         UPDATE event_positions SET deleted_position = greatest(deleted_position, last.position)
           FROM (SELECT max(position) AS position FROM deleted) AS last
          WHERE organization_id = $2 AND last.position IS NOT NULL
       )
       SELECT count(*)::int AS deleted FROM deleted`,
      [days, organizationId, limit],
    );
    return row?.deleted ?? 0;
  }

  /** Forgets states that began so many days ago: most of their objects are gone. */
  async deleteConditions(days: number): Promise<void> {
    await this.sql.execute(`DELETE FROM event_conditions WHERE ${IS_OLD}`, [days]);
  }
}
