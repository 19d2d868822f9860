import { Injectable } from '@nestjs/common';
import { boundsOf, type Page } from '../../common/pagination/page.js';
import type { Days } from './days.js';
import { ALL, CHANNEL_AND_BUNDLE, type Dimension } from './dimensions.js';
import type {
  ActiveDevicesDto,
  AdoptionDto,
  DeviceGroupDto,
  DeviceGroupsDto,
  DownloadsDto,
} from './insights.dto.js';
import type { DownloadsQuery } from './insights-query.dto.js';
import { Sql } from '../../database/sql.js';

/** What went where, and since when. */
export interface Target {
  readonly channelId: string;
  /** `null` when the build no longer has a bundle. */
  readonly bundleId: string | null;
}

const DAY = `to_char(day, 'YYYY-MM-DD') AS day`;

/** Reads what was counted. */
@Injectable()
export class InsightsQueries {
  constructor(private readonly sql: Sql) {}

  /** The counts of all devices, by day. */
  activeDevices(appId: string, { from, to }: Days): Promise<ActiveDevicesDto[]> {
    return this.sql.query(
      `SELECT ${DAY}, daily, weekly, monthly FROM device_counts
        WHERE app_id = $1 AND dimension = '${ALL}' AND day BETWEEN $2 AND $3 ORDER BY device_counts.day`,
      [appId, from, to],
    );
  }

  /** The counts of devices by a property, by day. */
  async devicesBy(appId: string, dimension: Dimension, { from, to }: Days): Promise<DeviceGroupsDto[]> {
    const rows = await this.sql.query<DeviceGroupDto & { day: string }>(
      `SELECT ${DAY}, nullif(value, '') AS value, others, daily, weekly, monthly FROM device_counts
        WHERE app_id = $1 AND dimension = $2 AND day BETWEEN $3 AND $4
        ORDER BY device_counts.day, others, monthly DESC, device_counts.value`,
      [appId, dimension, from, to],
    );
    const byDay = Map.groupBy(rows, ({ day }) => day);
    return [...byDay].map(([day, groups]) => ({
      day,
      groups: groups.map(({ value, others, daily, weekly, monthly }) => ({
        value,
        others,
        daily,
        weekly,
        monthly,
      })),
    }));
  }

  /** What a deployment of the build delivers. */
  async bundleOf(buildId: string): Promise<string | null> {
    const [row] = await this.sql.query<{ id: string }>(
      `SELECT bundles.id FROM build_artifacts JOIN bundles ON bundles.id = build_artifacts.id
        WHERE build_artifacts.build_id = $1`,
      [buildId],
    );
    return row?.id ?? null;
  }

  /** How many of the channel's devices ran the bundle, by day. */
  adoption(appId: string, { channelId, bundleId }: Target, { from, to }: Days): Promise<AdoptionDto[]> {
    return this.sql.query(
      `SELECT to_char(counted.day, 'YYYY-MM-DD') AS day, coalesce(on_bundle.daily, 0) AS devices,
              coalesce(in_channel.daily, 0) AS "channelDevices",
              coalesce(on_bundle.daily, 0) / nullif(in_channel.daily, 0)::float AS share
         FROM device_counts AS counted
         LEFT JOIN device_counts AS in_channel
           ON in_channel.app_id = $1 AND in_channel.dimension = 'channel' AND in_channel.day = counted.day
          AND NOT in_channel.others AND in_channel.value = $2
         LEFT JOIN device_counts AS on_bundle
           ON on_bundle.app_id = $1 AND on_bundle.dimension = '${CHANNEL_AND_BUNDLE}' AND on_bundle.day = counted.day
          AND NOT on_bundle.others AND on_bundle.value = $2 || '/' || $3
        WHERE counted.app_id = $1 AND counted.dimension = '${ALL}' AND counted.day BETWEEN $4 AND $5
        ORDER BY counted.day`,
      [appId, channelId, bundleId, from, to],
    );
  }

  /** Downloads of bundles, latest day first. */
  async downloads(appId: string, { from, to }: Days, query: DownloadsQuery): Promise<Page<DownloadsDto>> {
    const { limit, offset } = boundsOf(query);
    const ofBundles = `FROM download_counts AS count
        WHERE app_id = $1 AND day BETWEEN $2 AND $3 AND ($4::uuid IS NULL OR artifact_id = $4)
          AND (kind <> 'artifact' OR EXISTS (SELECT FROM bundles WHERE id = count.artifact_id))`;
    const parameters = [appId, from, to, query.bundleId ?? null];
    const items = await this.sql.query<DownloadsDto>(
      `SELECT ${DAY}, artifact_id AS "bundleId", kind, downloads, bytes ${ofBundles}
        ORDER BY count.day DESC, artifact_id, kind LIMIT $5 OFFSET $6`,
      [...parameters, limit, offset],
    );
    const [{ total } = { total: 0 }] = await this.sql.query<{ total: number }>(
      `SELECT count(*)::int AS total ${ofBundles}`,
      parameters,
    );
    return { items, total };
  }
}
