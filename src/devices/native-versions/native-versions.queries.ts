import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { allowStatements } from '../../database/transactions/transaction.js';
import { ACTIVE_DEVICES, VERSION_CODE, WRITE_COUNTED } from './count-versions.js';
import type { NativeVersion } from './native-version.entity.js';

/** How long the devices of an app may take to count, in milliseconds. */
const LONGEST_COUNT = 1_800_000;

/** A version as the task and requests need it. */
export type KnownVersion = Pick<
  NativeVersion,
  'platform' | 'versionCode' | 'devices' | 'isSeen' | 'firstSeenAt' | 'isNews'
>;

const COLUMNS = `platform, version_code AS "versionCode", devices, is_seen AS "isSeen",
  first_seen_at AS "firstSeenAt", is_news AS "isNews"`;

/** A condition of SQL on `event_conditions AS state`: another day has begun (UTC), or the app is gone. */
export const ANNOUNCEMENT_IS_OVER = `(state.created_at AT TIME ZONE 'UTC')::date <> (now() AT TIME ZONE 'UTC')::date
  OR NOT EXISTS (SELECT FROM apps WHERE apps.id = state.object_id)`;

/** SQL of the native versions of apps. */
@Injectable()
export class NativeVersionsQueries {
  constructor(private readonly sql: Sql) {}

  /** Apps with devices that count, or counts that may be over. */
  async dueApps(): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(
      `SELECT id FROM apps
        WHERE EXISTS (SELECT FROM devices WHERE app_id = apps.id AND last_seen_at >= now() - interval '30 days')
           OR EXISTS (SELECT FROM native_versions WHERE app_id = apps.id)
        ORDER BY id`,
    );
    return rows.map(({ id }) => id);
  }

  /** Counts the devices of an app, in a transaction. Another process that does the same waits. */
  async count(appId: string): Promise<KnownVersion[]> {
    await allowStatements(LONGEST_COUNT);
    await this.sql.query(`SELECT pg_advisory_xact_lock(hashtextextended('native_versions ' || $1, 0))`, [
      appId,
    ]);
    await this.sql.execute(WRITE_COUNTED, [appId]);
    return this.sql.query(`SELECT ${COLUMNS} FROM native_versions WHERE app_id = $1`, [appId]);
  }

  /** Those that are seen now. */
  seen(appId: string): Promise<KnownVersion[]> {
    return this.sql.query(`SELECT ${COLUMNS} FROM native_versions WHERE app_id = $1 AND is_seen`, [appId]);
  }

  /** What most devices with a version code report as its name. */
  async nameOf(appId: string, platform: number, versionCode: string): Promise<string> {
    const [row] = await this.sql.query<{ name: string }>(
      `SELECT app_version_name AS name ${ACTIVE_DEVICES} AND platform = $2 AND ${VERSION_CODE} = $3
        GROUP BY 1 ORDER BY count(*) DESC, 1 LIMIT 1`,
      [appId, platform, versionCode],
    );
    return row?.name ?? '';
  }

  /** Ends it that the versions of a platform are news which were seen. */
  async settle(appId: string, platform: number): Promise<void> {
    await this.sql.execute(
      `UPDATE native_versions SET is_news = false
        WHERE app_id = $1 AND platform = $2 AND is_news AND first_seen_at IS NOT NULL`,
      [appId, platform],
    );
  }

  /** Deletes the versions of a platform that too few devices report. @param kept one that stays; `null`: none */
  async forget(appId: string, platform: number, kept: string | null): Promise<void> {
    await this.sql.execute(
      `DELETE FROM native_versions
        WHERE app_id = $1 AND platform = $2 AND devices = 0 AND version_code IS DISTINCT FROM $3`,
      [appId, platform, kept],
    );
  }
}
