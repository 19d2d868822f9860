import type { SeenCheck } from './sighting.js';

/** States that are remembered; then all of them are made anew. */
const MAX_REMEMBERED = 1000;
/** Between values of any length. Stands in none of them: addresses that hide it are refused. */
const END = '\0';

/**
 * The states that devices are in: what a sighting says besides whose it is, as the JSON of a row. Devices with the same
 * app, system and bundle share one text, because tens of thousands of sightings wait at once.
 */
export class SightingStates {
  private readonly remembered = new Map<string, string>();

  /** @returns the same text for the same state, if not the very same one */
  of(seen: SeenCheck): string {
    const key = keyOf(seen);
    let state = this.remembered.get(key);
    if (state === undefined) {
      if (this.remembered.size >= MAX_REMEMBERED) this.remembered.clear();
      this.remembered.set(key, (state = toState(seen)));
    }
    return state;
  }
}

function keyOf({ appId, request, country, channelId, deploymentId, runsOffered }: SeenCheck): string {
  const { platformNumber, bundleId, appVersionCode, appVersionName, osVersion, pluginVersion, runtime } =
    request;
  return (
    `${appId}${platformNumber}${runsOffered}${country}${channelId}${deploymentId}${bundleId}${appVersionCode}${END}` +
    `${appVersionName}${END}${osVersion}${END}${pluginVersion}${END}${runtime ?? ''}${END}` +
    request.channelNames.join(END)
  );
}

function toState({ appId, request, country, channelId, deploymentId, runsOffered }: SeenCheck): string {
  return JSON.stringify({
    app_id: appId,
    platform: request.platformNumber,
    app_version_code: request.appVersionCode,
    app_version_name: request.appVersionName,
    os_version: request.osVersion,
    plugin_version: request.pluginVersion,
    runtime: request.runtime,
    country,
    requested_channel_names: request.channelNames,
    channel_id: channelId,
    deployment_id: deploymentId,
    bundle_id: request.bundleId,
    runs_offered: runsOffered,
  });
}
