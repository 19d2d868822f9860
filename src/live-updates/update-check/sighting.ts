import type { DeviceReport } from './update-check-request.js';

/** A check as it is remembered of a device. */
export interface SeenCheck {
  readonly appId: string;
  readonly deviceId: string;
  /** As the app gave it, which may not be how it is stored. */
  readonly customId: string | null;
  readonly report: DeviceReport;
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
 * A check in the form in which it waits to be written: small, because tens of thousands of them live through several
 * collections of garbage.
 */
export interface Sighting {
  /** Which device it is of: the id of its app, and its own. */
  readonly key: string;
  readonly appId: string;
  /** What was seen besides whose it is, as `SightingStates` tells it. */
  readonly state: string;
  readonly customId: string | null;
  /** Milliseconds by `performance.now()`, whole ones. */
  seenAt: number;
}

/** Whether one tells no more than the other, but the time. */
export function tellTheSame(one: Sighting, other: Sighting): boolean {
  return one.state === other.state && one.customId === other.customId;
}

/** The id that the device gave itself. */
export function deviceIdOf({ key, appId }: Sighting): string {
  return key.slice(appId.length);
}
