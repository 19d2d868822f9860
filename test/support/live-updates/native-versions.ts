import { randomUUID } from 'node:crypto';
import type { TestApp } from '../../builders/app.js';
import type { Site } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';

/** Devices that report the same. */
export interface ReportingDevices {
  /** 0 Android, 1 iOS, 2 Electron. @default 0 */
  readonly platform?: number;
  readonly versionCode: string;
  readonly versionName?: string;
  readonly count: number;
  /** When they were seen, as an SQL interval from now. @default '0 days' */
  readonly seen?: string;
}

/** Devices of an app, written to the database directly. */
export async function addDevices(
  app: TestApp,
  { platform = 0, versionCode, versionName = '1.0.0', count, seen = '0 days' }: ReportingDevices,
  { databaseUrl }: Pick<Site, 'databaseUrl'> = testEnvironment(),
): Promise<void> {
  await query(
    databaseUrl,
    `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                          channel_id, last_seen_at)
     SELECT $1, $2 || n, $3, $4, $5, '34', '8.4.3', $6, now() + $7::interval FROM generate_series(1, $8::int) AS n`,
    [app.id, `${randomUUID()}-`, platform, versionCode, versionName, app.defaultChannelId, seen, count],
  );
}

/** Lets a native version be seen, as if five devices had reported it on two days. */
export async function see(app: TestApp, versionCode: string, platform = 0): Promise<void> {
  await addDevices(app, { platform, versionCode, count: 5 });
  await storeSeen(app, versionCode, platform);
}

/** As `see`, without devices: until the next count. */
export async function storeSeen(app: TestApp, versionCode: string, platform = 0): Promise<void> {
  await query(
    testEnvironment().databaseUrl,
    `INSERT INTO native_versions (app_id, platform, version_code, devices, days, last_day, is_seen, first_seen_at, is_news)
     VALUES ($1, $2, $3, 5, 2, (now() AT TIME ZONE 'UTC')::date, true, now(), false)`,
    [app.id, platform, versionCode],
  );
}
