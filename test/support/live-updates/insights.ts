import type { TestApp } from '../../builders/app.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../eventually.js';
import { linesOfProgram, type Place } from '../processes/programs.js';

const DAY = 86_400_000;

/** The day (UTC) so many days ago, such as `2026-03-14`. */
export function daysAgo(days: number): string {
  return new Date(Date.now() - days * DAY).toISOString().slice(0, 10);
}

/** Counts the days that are over, as the server does each hour. @returns what the command prints */
export async function rollUp(site: Place = testEnvironment()): Promise<string> {
  return (await linesOfProgram('insights roll-up', site)).join('\n');
}

/** Lets the server do the same, which takes less than the start of a program. */
export async function rollUpOnServer(): Promise<void> {
  const { databaseUrl } = testEnvironment();
  const [job] = await query<{ id: string }>(
    databaseUrl,
    `INSERT INTO queue.job (name, data) VALUES ('insights', '{}') RETURNING id`,
  );
  await eventually(async () =>
    expect(await query(databaseUrl, 'SELECT state FROM queue.job WHERE id = $1', [job?.id])).toEqual([
      { state: 'completed' },
    ]),
  );
}

/** A device that was seen on some days; what is left out is as of an Android device of the default channel. */
export interface SeenDevice {
  /** How many days ago, 0 for today. */
  readonly seen: readonly number[];
  readonly channelId?: string | null;
  readonly forcedChannelId?: string | null;
  readonly bundleId?: string | null;
  readonly appVersionName?: string;
  readonly appVersionCode?: string;
  readonly platform?: number;
  readonly country?: string | null;
}

/** The bits of the 62 days that end with the last one. */
function bitsOf(seen: readonly number[]): bigint {
  const last = Math.min(...seen);
  return seen.filter((ago) => ago - last < 62).reduce((bits, ago) => bits | (1n << BigInt(ago - last)), 0n);
}

/**
 * Writes devices to the database, since no one can wait for days, and makes the app old enough to have known them.
 *
 * @param age of the app in days
 */
export async function writeDevices(
  app: TestApp,
  devices: readonly SeenDevice[],
  age: number,
  databaseUrl = testEnvironment().databaseUrl,
): Promise<void> {
  const rows = devices.map((device, index) => {
    const last = Math.min(...device.seen);
    return {
      id: `device-${index}`,
      platform: device.platform ?? 0,
      appVersionName: device.appVersionName ?? '1.0.0',
      appVersionCode: device.appVersionCode ?? '10',
      channelId: device.channelId === undefined ? app.defaultChannelId : device.channelId,
      forcedChannelId: device.forcedChannelId ?? null,
      bundleId: device.bundleId ?? null,
      country: device.country ?? null,
      // Any time of the day, also its very first and last.
      lastSeenAt: `${daysAgo(last)}T${['00:00:00.000', '12:34:56.789', '23:59:59.999'][index % 3]}Z`,
      seenDays: String(bitsOf(device.seen)),
    };
  });
  await query(
    databaseUrl,
    `INSERT INTO devices (app_id, id, platform, app_version_name, app_version_code, os_version, plugin_version,
                          channel_id, forced_channel_id, bundle_id, country, last_seen_at, seen_days)
     SELECT $1, id, platform, "appVersionName", "appVersionCode", '34', '8.4.3',
            "channelId", "forcedChannelId", "bundleId", country, "lastSeenAt", "seenDays"
       FROM jsonb_to_recordset($2::jsonb) AS device (
              id text, platform smallint, "appVersionName" text, "appVersionCode" text, "channelId" uuid,
              "forcedChannelId" uuid, "bundleId" uuid, country text, "lastSeenAt" timestamptz, "seenDays" bigint)`,
    [app.id, JSON.stringify(rows)],
  );
  await query(
    databaseUrl,
    `UPDATE apps SET created_at = created_at - make_interval(days => $2) WHERE id = $1`,
    [app.id, age],
  );
}
