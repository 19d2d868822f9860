import { LRUCache } from 'lru-cache';
import type { DeviceState, RecordedCheck } from './check-in.js';
import type { DeviceReport } from './device-report.js';

/** States in memory. */
const MAX_STATES = 1000;
/** Separates values. None of them contains it: it is removed from what devices report. */
const END = '\0';

/** What a state depends on besides the device's report. */
type Circumstances = Omit<RecordedCheck, 'deviceId' | 'customId' | 'report' | 'connection'>;

/**
 * The states of devices. Devices with the same app, system and bundle share one object, because tens of thousands of
 * check-ins wait at once.
 */
export class DeviceStates {
  private readonly states = new LRUCache<string, DeviceState>({ max: MAX_STATES });
  /** The last state of each report: devices that report the same mostly get the same response. */
  private readonly last = new WeakMap<DeviceReport, Circumstances & { readonly state: DeviceState }>();

  /** @returns equal states for equal checks; mostly the same object */
  of(check: RecordedCheck): DeviceState {
    const { report, appId, country, channelId, deploymentId, runsOffered } = check;
    const last = this.last.get(report);
    if (last !== undefined && areEqual(last, check)) return last.state;
    const state = this.byText(check);
    this.last.set(report, { appId, country, channelId, deploymentId, runsOffered, state });
    return state;
  }

  private byText(check: RecordedCheck): DeviceState {
    const key = keyOf(check);
    let state = this.states.get(key);
    if (state === undefined) {
      this.states.set(key, (state = toState(check)));
    }
    return state;
  }
}

function areEqual(one: Circumstances, other: Circumstances): boolean {
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
