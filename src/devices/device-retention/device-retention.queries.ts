import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** The deletions of devices that were not seen for a while. */
@Injectable()
export class DeviceRetentionQueries {
  constructor(private readonly sql: Sql) {}

  /** Apps whose devices expire. @param days those of apps without a setting; 0: never */
  async appIds(days: number): Promise<string[]> {
    const apps = await this.sql.query<{ id: string }>(
      'SELECT id FROM apps WHERE coalesce(device_retention_days, nullif($1, 0)) IS NOT NULL ORDER BY id',
      [days],
    );
    return apps.map(({ id }) => id);
  }

  /**
   * Deletes up to `limit` devices of an app that have expired. The condition stands twice: a device may be seen while its
   * deletion waits for that.
   *
   * @returns how many
   */
  deleteExpired(appId: string, days: number, limit: number): Promise<number> {
    return this.sql.execute(
      `WITH app AS (
         SELECT id, now() - make_interval(days => coalesce(device_retention_days, nullif($2, 0))) AS seen_since
           FROM apps WHERE id = $1
       ), expired AS (
         SELECT device.id FROM devices AS device JOIN app ON app.id = device.app_id
          WHERE device.last_seen_at < app.seen_since
          ORDER BY device.last_seen_at LIMIT ${limit}
       )
       DELETE FROM devices AS device USING app, expired
        WHERE device.app_id = app.id AND device.id = expired.id AND device.last_seen_at < app.seen_since`,
      [appId, days],
    );
  }
}
