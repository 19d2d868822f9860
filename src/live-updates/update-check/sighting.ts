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
  /** Milliseconds by `performance.now()`. */
  readonly seenAt: number;
}

/** Which device it is of. */
export function deviceKey({ appId, request }: Sighting): string {
  return `${appId}${request.deviceId}`;
}

/** Whether a device was seen twice in the same state, so that the later sighting tells all that the earlier one did. */
export function isRepeat(earlier: Sighting, later: Sighting): boolean {
  const a = earlier.request;
  const b = later.request;
  return (
    earlier.deploymentId === later.deploymentId &&
    earlier.runsOffered === later.runsOffered &&
    earlier.channelId === later.channelId &&
    earlier.country === later.country &&
    a.bundleId === b.bundleId &&
    a.appVersionCode === b.appVersionCode &&
    a.appVersionName === b.appVersionName &&
    a.osVersion === b.osVersion &&
    a.pluginVersion === b.pluginVersion &&
    a.platformNumber === b.platformNumber &&
    a.runtime === b.runtime &&
    a.customId === b.customId &&
    a.channelNames.join('\0') === b.channelNames.join('\0')
  );
}
