import type { Device } from '../devices/device.entity.js';
import type { DeviceCheck } from '../channel-decision/device-decision.js';
import { platforms } from '../check-ins/device-report.js';

/** What a device reports when it checks for an update. */
export type Reported = Pick<
  Device,
  'platform' | 'appVersionCode' | 'pluginVersion' | 'runtime' | 'requestedChannelNames' | 'bundleId'
>;

/**
 * The last update check of a device, as it was recorded.
 *
 * @param deviceId `null`: of any device
 */
export function reportedCheck(deviceId: string | null, reported: Reported): DeviceCheck {
  return {
    deviceId,
    channelNames: reported.requestedChannelNames,
    platform: platforms[reported.platform] ?? 'android',
    appVersionCode: reported.appVersionCode,
    pluginVersion: reported.pluginVersion,
    runtime: reported.runtime,
    bundleId: reported.bundleId,
  };
}
