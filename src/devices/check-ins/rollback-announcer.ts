import { Injectable } from '@nestjs/common';
import { Notifications, ROLLBACKS } from '../../database/notifications.js';
import { sql } from '../../database/sql.js';

/** A check-in is written half a second after it arrives, unless the database is away. */
const LATELY = '1 minute';

/** Notifies this process of roll-backs that it has written, without waiting for the database to announce them to all. */
@Injectable()
export class RollbackAnnouncer {
  constructor(private readonly notifications: Notifications) {}

  /**
   * Announces the current counts of devices, in the form of `announce_rollbacks`: those that have changed lately. What a
   * check-in changed that waited for longer comes from the database.
   *
   * @param deviceIds as many, in the same order
   */
  async notifyLocally(appIds: readonly string[], deviceIds: readonly string[]): Promise<void> {
    const rows = await sql<{ payload: string }>(
      `SELECT app_id || ' ' || string_agg(encode(key, 'hex') || ':' || least(count, 999), ' ') AS payload
         FROM device_rollbacks
         JOIN unnest($1::uuid[], $2::text[]) AS device (app_id, device_id) USING (app_id, device_id)
        WHERE last_at > now() - interval '${LATELY}'
        GROUP BY app_id`,
      [appIds, deviceIds],
    );
    for (const { payload } of rows) this.notifications.notifyLocally(ROLLBACKS, payload);
  }
}
