import { Injectable } from '@nestjs/common';
import type { SimulatedDevice } from './simulation.js';
import { Sql } from '../../database/sql.js';

/** Devices per read: few enough that other requests are served in between. */
const BATCH = 1_000;

/** Which devices to read. */
export interface KnownDevices {
  readonly appId: string;
  /** Only those that have checked in since then. */
  readonly seenSince: Date;
}

/** A row as read: most devices request no channel, and an empty list takes long to parse. */
type DeviceRow = Omit<SimulatedDevice, 'requestedChannelNames'> & {
  readonly requestedChannelNames: string[] | null;
};

/** Reads the devices of an app. Everything here must run in one transaction. */
@Injectable()
export class SimulationsQueries {
  constructor(private readonly sql: Sql) {}

  /** Locks the app for simulations until the transaction ends. @returns false when another simulation has the lock */
  async lock(appId: string): Promise<boolean> {
    const [row] = await this.sql.query<{ locked: boolean }>(
      `SELECT pg_try_advisory_xact_lock(hashtext('slipway:simulations'), hashtext($1)) AS locked`,
      [appId],
    );
    return row?.locked === true;
  }

  /** How many devices there are. */
  async count({ appId, seenSince }: KnownDevices): Promise<number> {
    const [row] = await this.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM devices WHERE app_id = $1 AND last_seen_at >= $2',
      [appId, seenSince],
    );
    return row?.count ?? 0;
  }

  /** Whether the app knows all of these devices. */
  async knows(appId: string, ids: readonly string[]): Promise<boolean> {
    const [row] = await this.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM devices WHERE app_id = $1 AND id = ANY($2)',
      [appId, ids],
    );
    return row?.count === new Set(ids).size;
  }

  /** The build of a bundle. */
  async buildOf(appId: string, bundleId: string): Promise<string | null> {
    const [row] = await this.sql.query<{ id: string }>(
      `SELECT builds.id FROM bundles
         JOIN build_artifacts ON build_artifacts.id = bundles.id
         JOIN builds ON builds.id = build_artifacts.build_id
        WHERE builds.app_id = $1 AND bundles.id = $2`,
      [appId, bundleId],
    );
    return row?.id ?? null;
  }

  /**
   * The devices, in batches.
   *
   * @param sample a power of two: reads one of so many devices, always the same ones, by a hash of the id that is
   *   independent of rollouts
   */
  async *read({ appId, seenSince }: KnownDevices, sample: number): AsyncGenerator<SimulatedDevice[]> {
    // The end of the transaction closes it.
    const cursor = `simulated_devices_${sample}`;
    await this.sql.query(
      `DECLARE ${cursor} NO SCROLL CURSOR FOR
       SELECT id, platform, app_version_code AS "appVersionCode", plugin_version AS "pluginVersion", runtime,
              bundle_id AS "bundleId",
              NULLIF(requested_channel_names, '{}') AS "requestedChannelNames", forced_channel_id AS "forcedChannelId"
         FROM devices
        WHERE app_id = $1 AND last_seen_at >= $2 AND (hashtextextended(id, 0) & $3::bigint) = 0`,
      [appId, seenSince, sample - 1],
    );
    for (;;) {
      const devices = await this.sql.query<DeviceRow>(`FETCH ${BATCH} FROM ${cursor}`);
      if (devices.length === 0) return;
      yield devices.map(toDevice);
    }
  }
}

function toDevice(row: DeviceRow): SimulatedDevice {
  return row.requestedChannelNames === null
    ? { ...row, requestedChannelNames: [] }
    : (row as SimulatedDevice);
}
