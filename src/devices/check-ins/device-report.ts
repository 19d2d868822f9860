import type { DeviceCheck } from '../channel-decision/device-decision.js';
import type { Platform } from '../releases/release-table.js';

/** By the number that devices send. */
export const platforms: readonly Platform[] = ['android', 'ios', 'electron'];

/** What a device reports besides its ids: the same for many devices. */
export interface DeviceReport extends Omit<DeviceCheck, 'deviceId'> {
  /** 0 Android, 1 iOS, 2 Electron. */
  readonly platformNumber: number;
  readonly appVersionName: string;
  readonly osVersion: string;
  /** `cordova`, `electron`; `null`: Capacitor. */
  readonly runtime: string | null;
  /** The bundle that runs now, or `UNKNOWN_BUNDLE_ID`; `null`: the one that came with the app. */
  readonly bundleId: string | null;
}
