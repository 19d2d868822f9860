import { nameKey } from '../../common/validation/name.decorator.js';
import type { ReleaseChannel, ReleaseDeployment, ReleaseTable } from './release-table.js';

/** Up to so many channels are searched one by one: an index would take more memory than it saves time. */
const FEW = 8;

// Derived forms live exactly as long as what they were derived from, which is immutable. Without them each
// check would sort deployments and fold the case of every channel name again.
const channelsById = new WeakMap<ReleaseTable, ReadonlyMap<string, ReleaseChannel>>();
const channelsByName = new WeakMap<ReleaseTable, ReadonlyMap<string, ReleaseChannel>>();
const sortedDeployments = new WeakMap<ReleaseChannel, readonly ReleaseDeployment[]>();
const lastSequences = new WeakMap<ReleaseChannel, ReadonlyMap<string, number>>();

/** A channel by its id; `null`: there is none. */
export function channelWithId(table: ReleaseTable, id: string | null): ReleaseChannel | null {
  const { channels } = table;
  if (id === null) return null;
  if (channels.length <= FEW) return channels.find((channel) => channel.id === id) ?? null;
  let byId = channelsById.get(table);
  if (byId === undefined) {
    byId = new Map(channels.map((channel) => [channel.id, channel]));
    channelsById.set(table, byId);
  }
  return byId.get(id) ?? null;
}

/** The channel that a device means by a name, in any case; `null`: there is none. */
export function channelNamed(table: ReleaseTable, name: string): ReleaseChannel | null {
  let byName = channelsByName.get(table);
  if (byName === undefined) {
    byName = byExactAndFoldedName(table.channels);
    channelsByName.set(table, byName);
  }
  return byName.get(name) ?? byName.get(nameKey(name)) ?? null;
}

/** The deployments of a channel, newest first. */
export function newestFirst(channel: ReleaseChannel): readonly ReleaseDeployment[] {
  let deployments = sortedDeployments.get(channel);
  if (deployments === undefined) {
    deployments = channel.deployments.toSorted((a, b) => b.sequence - a.sequence);
    sortedDeployments.set(channel, deployments);
  }
  return deployments;
}

/** The `sequence` of the last deployment of a bundle to the channel, also of a retired one; `undefined`: there is none. */
export function lastSequenceOf(channel: ReleaseChannel, bundleId: string): number | undefined {
  let sequences = lastSequences.get(channel);
  if (sequences === undefined) lastSequences.set(channel, (sequences = findLastSequences(channel)));
  return sequences.get(bundleId);
}

function findLastSequences({ deployments, retiredBundles }: ReleaseChannel): ReadonlyMap<string, number> {
  const sequences = new Map(retiredBundles);
  for (const { bundle, sequence } of deployments) {
    sequences.set(bundle.id, Math.max(sequence, sequences.get(bundle.id) ?? sequence));
  }
  return sequences;
}

/** Exact names come last and win: beyond ASCII, databases keep names apart that fold to one here. */
function byExactAndFoldedName(channels: readonly ReleaseChannel[]): ReadonlyMap<string, ReleaseChannel> {
  return new Map([
    ...channels.map((channel) => [nameKey(channel.name.trim()), channel] as const),
    ...channels.map((channel) => [channel.name.trim(), channel] as const),
  ]);
}
