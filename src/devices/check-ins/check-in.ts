import type { ClientConnection } from '../../common/request-origin/client-connection.js';
import type { DeviceReport } from './device-report.js';

/** The facts of an update check that are recorded. */
export interface RecordedCheck {
  readonly appId: string;
  readonly deviceId: string;
  /** As the app set it. It may be stored hashed. */
  readonly customId: string | null;
  readonly report: DeviceReport;
  /** ISO 3166-1 alpha-2; `null`: unknown. */
  readonly country: string | null;
  /** The channel that the device requested, or the default one. */
  readonly channelId: string | null;
  /** The deployment that it was offered. */
  readonly deploymentId: string | null;
  /** Whether it already runs the bundle that it was offered. */
  readonly runsOffered: boolean;
  /** Never stored: new devices are counted by network. `null`: they are not. */
  readonly connection: ClientConnection | null;
}

/** What a check-in says besides the ids: the same for many devices. */
export interface DeviceState {
  readonly appId: string;
  /** All of it, as the JSON of a row. */
  readonly json: string;
}

/** A recorded check in the form in which it is written. */
export interface CheckIn {
  readonly state: DeviceState;
  /** Its device: `deviceKeyOf`. */
  readonly key: string;
  readonly customId: string | null;
  /** Milliseconds by `performance.now()`; later when a duplicate arrives. */
  seenAt: number;
  /** Of the first check, if several were merged. */
  readonly connection: ClientConnection | null;
}

/** Identifies the device of a check-in. */
export function deviceKeyOf(appId: string, deviceId: string): string {
  return `${appId}/${deviceId}`;
}

/** Id of the device of a check-in. */
export function deviceIdOf({ state, key }: CheckIn): string {
  return key.slice(state.appId.length + 1);
}
