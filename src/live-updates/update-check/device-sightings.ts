import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { CustomIds } from './custom-ids.js';
import type { UpdateCheckRequest } from './update-check-request.js';

/** A check as it is remembered of a device. */
export interface Sighting {
  readonly appId: string;
  readonly request: UpdateCheckRequest & { readonly deviceId: string };
  /** ISO 3166-1 alpha-2; `null`: unknown. */
  readonly country: string | null;
  /** The channel that the device asked for, or the default one. */
  readonly channelId: string | null;
  /** What it was offered. */
  readonly deploymentId: string | null;
  /** Whether the bundle that it reported as the one it runs is the one that it was offered. */
  readonly runsOffered: boolean;
}

/**
 * Whether the device was offered the same the last time, in the same native version: an update from the store brings the
 * plugins back to its own bundle, which is no failure.
 */
const SAME = `(device.deployment_id = excluded.deployment_id
                AND device.app_version_code = excluded.app_version_code)`;

const dayOf = (column: string): string => `(${column} AT TIME ZONE 'UTC')::date`;

/** Days between the sighting before and this one. */
const DAYS_LATER = `(${dayOf('excluded.last_seen_at')} - ${dayOf('device.last_seen_at')})`;

/** The days on which the device was seen, with this one: the bits move on by a day each, and 62 of them are kept. */
const SEEN_DAYS = `CASE WHEN ${DAYS_LATER} <= 0 THEN device.seen_days
                        WHEN ${DAYS_LATER} > 61 THEN 1
                        ELSE ((device.seen_days << ${DAYS_LATER}) & ((1::bigint << 62) - 1)) | 1 END`;

/** Remembers the devices that ask. A device that cannot be remembered is served all the same. */
@Injectable()
export class DeviceSightings {
  private readonly logger = new Logger(DeviceSightings.name);

  constructor(
    private readonly database: DataSource,
    private readonly customIds: CustomIds,
  ) {}

  /** Creates or updates the device; a channel forced on it stays. Never throws. */
  async record(sighting: Sighting): Promise<void> {
    const { appId, request } = sighting;
    try {
      if ((await this.write(sighting)) || request.customId === null) return;
      // The app keeps custom ids otherwise now.
      this.customIds.forget(appId);
      await this.write(sighting);
    } catch (error) {
      this.logger.warn({ err: error, appId }, 'A device could not be remembered');
    }
  }

  /**
   * One statement, which also makes sure that the custom id is kept as the app wants it by now.
   *
   * @returns whether the device is remembered: not when the app is gone or has changed that
   */
  private async write({
    appId,
    request,
    country,
    channelId,
    deploymentId,
    runsOffered,
  }: Sighting): Promise<boolean> {
    const customId = await this.customIds.toStored(appId, request.customId);
    const written = await this.database.query<unknown[]>(
      `INSERT INTO devices AS device
              (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
               custom_id, custom_id_hashed, runtime, country, requested_channel_names,
               channel_id, deployment_id, bundle_id, last_seen_at, offered_at, applied_at)
       SELECT apps.id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, now(),
              CASE WHEN $14::uuid IS NOT NULL THEN now() END, CASE WHEN $16 THEN now() END
         FROM apps WHERE apps.id = $1 AND ($8::text IS NULL OR apps.custom_id_hashing = $9)
       ON CONFLICT (app_id, id) DO UPDATE SET
              platform = excluded.platform, app_version_code = excluded.app_version_code,
              app_version_name = excluded.app_version_name, os_version = excluded.os_version,
              plugin_version = excluded.plugin_version, custom_id = excluded.custom_id,
              custom_id_hashed = excluded.custom_id_hashed, runtime = excluded.runtime,
              country = excluded.country,
              requested_channel_names = excluded.requested_channel_names, channel_id = excluded.channel_id,
              deployment_id = excluded.deployment_id, bundle_id = excluded.bundle_id,
              last_seen_at = excluded.last_seen_at, seen_days = ${SEEN_DAYS},
              offered_at = CASE WHEN ${SAME} THEN device.offered_at ELSE excluded.offered_at END,
              applied_at = CASE WHEN ${SAME} THEN coalesce(device.applied_at, excluded.applied_at)
                                ELSE excluded.applied_at END,
              rolled_back_at = CASE WHEN ${SAME} THEN coalesce(device.rolled_back_at,
                                 CASE WHEN device.applied_at IS NOT NULL AND excluded.applied_at IS NULL
                                      THEN excluded.last_seen_at END) END,
              updated_at = now()
       RETURNING 1`,
      [
        appId,
        request.deviceId,
        request.platformNumber,
        request.appVersionCode,
        request.appVersionName,
        request.osVersion,
        request.pluginVersion,
        customId.value,
        customId.hashed,
        request.runtime,
        country,
        request.channelNames,
        channelId,
        deploymentId,
        request.bundleId,
        runsOffered,
      ],
    );
    return written.length > 0;
  }
}
