import type { DeviceState, RecordedCheck } from './check-in.js';
import type { DeviceReport } from '../update-check/update-check-request.js';

/** States that are remembered; then all of them are made anew. */
const MAX_REMEMBERED = 1000;
/** Between values of any length. Stands in none of them: addresses that hide it are refused. */
const END = '\0';

/** What a state depends on besides what the device says. */
type Circumstances = Omit<RecordedCheck, 'deviceId' | 'customId' | 'report'>;

/**
 * The states that devices are in. Devices with the same app, system and bundle share one, because tens of thousands of
 * sightings wait at once.
 */
export class DeviceStates {
  private readonly remembered = new Map<string, DeviceState>();
  /** The last state of each report: several devices in a row that say the same are mostly told the same. */
  private readonly last = new WeakMap<DeviceReport, Circumstances & { readonly state: DeviceState }>();

  /** @returns an equal state for an equal check, if not the very same one */
  of(seen: RecordedCheck): DeviceState {
    const { report, customId } = seen;
    const last = this.last.get(report);
    if (last !== undefined && areSame(last, seen)) return last.state;
    const state = this.byText(seen);
    // Reports that come with a custom id belong to one device.
    if (customId === null) {
      const { appId, country, channelId, deploymentId, runsOffered } = seen;
      this.last.set(report, { appId, country, channelId, deploymentId, runsOffered, state });
    }
    return state;
  }

  private byText(seen: RecordedCheck): DeviceState {
    const key = keyOf(seen);
    let state = this.remembered.get(key);
    if (state === undefined) {
      if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
      this.remembered.set(key, (state = toState(seen)));
    }
    return state;
  }
}

function areSame(one: Circumstances, other: Circumstances): boolean {
  return (
    one.appId === other.appId &&
    one.deploymentId === other.deploymentId &&
    one.channelId === other.channelId &&
    one.country === other.country &&
    one.runsOffered === other.runsOffered
  );
}

function keyOf({ appId, report, country, channelId, deploymentId, runsOffered }: RecordedCheck): string {
  const { platformNumber, bundleId, appVersionCode, appVersionName, osVersion, pluginVersion, runtime } =
    report;
  return (
    `${appId}${platformNumber}${runsOffered}${country}${channelId}${deploymentId}${bundleId}${appVersionCode}${END}` +
    `${appVersionName}${END}${osVersion}${END}${pluginVersion}${END}${runtime ?? ''}${END}` +
    report.channelNames.join(END)
  );
}

function toState({
  appId,
  report,
  country,
  channelId,
  deploymentId,
  runsOffered,
}: RecordedCheck): DeviceState {
  const json = JSON.stringify({
    app_id: appId,
    platform: report.platformNumber,
    app_version_code: report.appVersionCode,
    app_version_name: report.appVersionName,
    os_version: report.osVersion,
    plugin_version: report.pluginVersion,
    runtime: report.runtime,
    country,
    requested_channel_names: report.channelNames,
    channel_id: channelId,
    deployment_id: deploymentId,
    bundle_id: report.bundleId,
    runs_offered: runsOffered,
  });
  return { appId, json };
}
