import type { UpdateCheckRequest } from './update-check-request.js';

/** A check as it is remembered of a device. */
export interface Sighting {
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
  /** Milliseconds by `performance.now()`. */
  readonly seenAt: number;
}

/** Which device it is of. */
export function deviceKey({ appId, deviceId }: Sighting): string {
  return appId + deviceId;
}

/** All that is known of the device but the time: sightings in one state tell no more than the last of them. */
export function stateOf({ request, country, channelId, deploymentId, runsOffered }: Sighting): string {
  return [
    deploymentId,
    runsOffered,
    channelId,
    country,
    request.bundleId,
    request.platformNumber,
    request.appVersionCode,
    request.appVersionName,
    request.osVersion,
    request.pluginVersion,
    request.runtime,
    request.customId,
    ...request.channelNames,
  ].join('\0');
}
