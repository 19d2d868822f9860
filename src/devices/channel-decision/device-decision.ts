import { decide } from './channel-decision.js';
import type { Decision, TraceCollector, UpdateCheck } from './decision.js';
import type { ReleaseTable } from '../releases/release-table.js';

/** What a device reports, with the channel's name as it was sent. */
export interface DeviceCheck extends Omit<UpdateCheck, 'channelName'> {
  /** The readings of the channel's name, most likely first; empty when none is requested. */
  readonly channelNames: readonly string[];
}

/**
 * As `decide`. A name with two readings is tried in both, since only one of them may be a channel.
 *
 * @param trace receives the steps of the reading that decided
 */
export function decideForDevice(
  table: ReleaseTable,
  check: DeviceCheck,
  clock: () => Date,
  trace?: TraceCollector,
): Decision {
  const { channelNames } = check;
  let decision = decide(table, inChannel(check, channelNames[0] ?? null), clock, trace);
  for (let n = 1; n < channelNames.length && decision.reason === 'channel-not-found'; n++) {
    trace?.splice(0);
    decision = decide(table, inChannel(check, channelNames[n] ?? null), clock, trace);
  }
  return decision;
}

function inChannel(
  { deviceId, platform, appVersionCode, pluginVersion, runtime, bundleId }: DeviceCheck,
  channelName: string | null,
): UpdateCheck {
  return { deviceId, channelName, platform, appVersionCode, pluginVersion, runtime, bundleId };
}
