import type { DeviceReport } from '../update-check/update-check-request.js';

/** A check as it is remembered of a device. */
export interface RecordedCheck {
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

/** What was seen of a device besides whose it is: the same for many devices. */
export interface DeviceState {
  readonly appId: string;
  /** All of it, as the JSON of a row. */
  readonly json: string;
}

/** A check in the form in which it is written. */
export interface CheckIn {
  readonly state: DeviceState;
  /** The id that the device gave itself. */
  readonly deviceId: string;
  readonly customId: string | null;
  /** Milliseconds by `performance.now()`. */
  readonly seenAt: number;
}
