import { Injectable, Logger } from '@nestjs/common';
import { DataSource } from 'typeorm';
import type { UpdateCheckRequest } from './update-check-request.js';

/** A check as it is remembered of a device. */
export interface Sighting {
  readonly appId: string;
  readonly request: UpdateCheckRequest & { readonly deviceId: string };
  /** The channel that the device asked for, or the default one. */
  readonly channelId: string | null;
  /** What it was offered. */
  readonly deploymentId: string | null;
}

/** Remembers the devices that ask. A device that cannot be remembered is served all the same. */
@Injectable()
export class DeviceSightings {
  private readonly logger = new Logger(DeviceSightings.name);

  constructor(private readonly database: DataSource) {}

  /** Creates or updates the device; a channel forced on it stays. Never throws. */
  async record({ appId, request, channelId, deploymentId }: Sighting): Promise<void> {
    try {
      await this.database.query(
        `INSERT INTO devices AS device
                (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                 custom_id, runtime, channel_id, deployment_id, last_seen_at)
         SELECT apps.id, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, now() FROM apps WHERE apps.id = $1
         ON CONFLICT (app_id, id) DO UPDATE SET
                platform = excluded.platform, app_version_code = excluded.app_version_code,
                app_version_name = excluded.app_version_name, os_version = excluded.os_version,
                plugin_version = excluded.plugin_version, custom_id = excluded.custom_id,
                runtime = excluded.runtime, channel_id = excluded.channel_id,
                deployment_id = excluded.deployment_id, last_seen_at = excluded.last_seen_at,
                updated_at = now()`,
        [
          appId,
          request.deviceId,
          request.platformNumber,
          request.appVersionCode,
          request.appVersionName,
          request.osVersion,
          request.pluginVersion,
          request.customId,
          request.runtime,
          channelId,
          deploymentId,
        ],
      );
    } catch (error) {
      this.logger.warn({ err: error, appId }, 'A device could not be remembered');
    }
  }
}
