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
  now: Date,
  trace?: TraceCollector,
): Decision {
  const { channelNames, deviceId, platform, appVersionCode, pluginVersion, runtime, bundleId } = check;
  const decideIn = (channelName: string | null): Decision =>
    decide(
      table,
      { deviceId, channelName, platform, appVersionCode, pluginVersion, runtime, bundleId },
      now,
      trace,
    );
  let decision = decideIn(channelNames[0] ?? null);
  for (const channelName of channelNames.slice(1)) {
    if (decision.reason !== 'channel-not-found') break;
    trace?.splice(0);
    decision = decideIn(channelName);
  }
  return decision;
}
