import type { UpdateCheckRequest } from './update-check-request.js';

/** A check as it is remembered of a device. */
export interface SeenCheck {
  readonly appId: string;
  readonly deviceId: string;
  readonly request: UpdateCheckRequest;
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
 * A check in the form in which it waits to be written: few objects, because tens of thousands of them live through
 * several collections of garbage.
 */
export interface Sighting {
  /** Which device it is of. */
  readonly key: string;
  readonly appId: string;
  /** All that was seen but the time, as the JSON of a row. Sightings of a device with one state tell no more than the last. */
  readonly state: string;
  /** As the app gave it, which may not be how it is stored; it is a part of `state`, too. */
  readonly customId: string | null;
  /** Milliseconds by `performance.now()`. */
  readonly seenAt: number;
}

/** @param seenAt milliseconds by `performance.now()` */
export function toSighting(check: SeenCheck, seenAt: number): Sighting {
  const { appId, deviceId, request } = check;
  return {
    key: appId + deviceId,
    appId,
    state: JSON.stringify({
      app_id: appId,
      id: deviceId,
      platform: request.platformNumber,
      app_version_code: request.appVersionCode,
      app_version_name: request.appVersionName,
      os_version: request.osVersion,
      plugin_version: request.pluginVersion,
      custom_id: request.customId,
      custom_id_hashed: false,
      runtime: request.runtime,
      country: check.country,
      requested_channel_names: request.channelNames,
      channel_id: check.channelId,
      deployment_id: check.deploymentId,
      bundle_id: request.bundleId,
      runs_offered: check.runsOffered,
    }),
    customId: request.customId,
    seenAt,
  };
}
