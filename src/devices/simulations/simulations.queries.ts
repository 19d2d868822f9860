import { Injectable } from '@nestjs/common';
import type { LackingDevice } from './blockers.js';
import type { SimulatedDevice } from './simulation.js';
import { Sql } from '../../database/sql.js';
import { DEVICE_SAMPLE, DEVICES_PER_SAMPLED } from '../devices/device.entity.js';

/** Devices per read: few enough that other requests are served in between. */
const BATCH = 1_000;

/** Which devices to read. */
export interface KnownDevices {
  readonly appId: string;
  /** Only those that have checked in since then. */
  readonly seenSince: Date;
}

/** Devices of a channel that asked for it last, or are forced to it. */
export interface DevicesOfChannel extends KnownDevices {
  readonly channelId: string;
  /** The bundle that they run, or lack. */
  readonly bundleId: string;
}

/** A row as read: most devices request no channel, and an empty list takes long to parse. */
type DeviceRow<Device extends SimulatedDevice> = Omit<Device, 'requestedChannelNames'> & {
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

  /** How many devices a channel has, and how many of them run the bundle. */
  async countOfChannel(known: DevicesOfChannel): Promise<{ devices: number; running: number }> {
    const [row] = await this.sql.query<{ devices: number; running: number }>(
      `SELECT count(*)::int AS devices, count(*) FILTER (WHERE bundle_id = $4)::int AS running FROM devices
        WHERE ${OF_CHANNEL}`,
      [known.appId, known.seenSince, known.channelId, known.bundleId],
    );
    return row ?? { devices: 0, running: 0 };
  }

  /** Whether the app knows all of these devices. */
  async knows(appId: string, ids: readonly string[]): Promise<boolean> {
    const [row] = await this.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM devices WHERE app_id = $1 AND id = ANY($2)',
      [appId, ids],
    );
    return row?.count === new Set(ids).size;
  }

  /** The bundle of a web build. */
  async bundleOf(buildId: string): Promise<string | null> {
    const [row] = await this.sql.query<{ id: string }>(
      `SELECT bundles.id FROM bundles JOIN build_artifacts ON build_artifacts.id = bundles.id
        WHERE build_artifacts.build_id = $1`,
      [buildId],
    );
    return row?.id ?? null;
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
  read({ appId, seenSince }: KnownDevices, sample: number): AsyncGenerator<SimulatedDevice[]> {
    return this.fetch(sample, COLUMNS, 'app_id = $1 AND last_seen_at >= $2', [appId, seenSince]);
  }

  /** As `read`, those of a channel that do not run the bundle. */
  readLacking(known: DevicesOfChannel, sample: number): AsyncGenerator<LackingDevice[]> {
    const { appId, seenSince, channelId, bundleId } = known;
    return this.fetch<LackingDevice>(
      sample,
      `${COLUMNS}, EXISTS (SELECT FROM device_rollbacks AS rollback
                            WHERE rollback.app_id = devices.app_id AND rollback.device_id = devices.id) AS "hasRollbacks"`,
      `${OF_CHANNEL} AND bundle_id IS DISTINCT FROM $4`,
      [appId, seenSince, channelId, bundleId],
    );
  }

  private async *fetch<Device extends SimulatedDevice>(
    sample: number,
    columns: string,
    condition: string,
    parameters: readonly unknown[],
  ): AsyncGenerator<Device[]> {
    // The end of the transaction closes it.
    const cursor = `simulated_devices_${sample}`;
    // Implied by the other condition, but the planner uses the index of the sample only where it reads this.
    const indexed = sample >= DEVICES_PER_SAMPLED ? `AND ${DEVICE_SAMPLE} ` : '';
    await this.sql.query(
      `DECLARE ${cursor} NO SCROLL CURSOR FOR SELECT ${columns} FROM devices
        WHERE ${condition} ${indexed}AND (hashtextextended(id, 0) & $${parameters.length + 1}::bigint) = 0`,
      [...parameters, sample - 1],
    );
    for (;;) {
      const devices = await this.sql.query<DeviceRow<Device>>(`FETCH ${BATCH} FROM ${cursor}`);
      if (devices.length === 0) return;
      yield devices.map(toDevice);
    }
  }
}

/** What decisions read of a device. */
const COLUMNS = `id, platform, app_version_code AS "appVersionCode", plugin_version AS "pluginVersion", runtime,
  bundle_id AS "bundleId", NULLIF(requested_channel_names, '{}') AS "requestedChannelNames",
  forced_channel_id AS "forcedChannelId"`;

/** Devices of a channel: `$1` to `$3` are the app, the time since which they were seen, and the channel. */
const OF_CHANNEL = 'app_id = $1 AND last_seen_at >= $2 AND (channel_id = $3 OR forced_channel_id = $3)';

function toDevice<Device extends SimulatedDevice>(row: DeviceRow<Device>): Device {
  return (row.requestedChannelNames === null ? { ...row, requestedChannelNames: [] } : row) as Device;
}
