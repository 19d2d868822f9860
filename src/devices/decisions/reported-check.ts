import type { Device } from '../devices/device.entity.js';
import type { DeviceCheck } from '../releases/device-decision.js';
import { platforms } from '../update-check/update-check-request.js';

/** What a device says when it checks for an update. */
export type Reported = Pick<
  Device,
  'platform' | 'appVersionCode' | 'pluginVersion' | 'runtime' | 'requestedChannelNames'
>;

/**
 * The update check that a device made last, as it was remembered.
 *
 * @param deviceId `null`: of whichever device
 */
export function reportedCheck(deviceId: string | null, reported: Reported): DeviceCheck {
  return {
    deviceId,
    channelNames: reported.requestedChannelNames,
    platform: platforms[reported.platform] ?? 'android',
    appVersionCode: reported.appVersionCode,
    pluginVersion: reported.pluginVersion,
    runtime: reported.runtime,
  };
}
