import { channelNamed, channelWithId, newestFirst } from '../releases/release-index.js';
import type { ReleaseChannel, ReleaseDeployment, ReleaseTable } from '../releases/release-table.js';

/** @param name `null`: the default channel. @returns `null`: there is no default channel; `undefined`: no such channel */
export function channelFor(table: ReleaseTable, name: string | null): ReleaseChannel | null | undefined {
  if (name !== null) return channelNamed(table, name) ?? undefined;
  return channelWithId(table, table.defaultChannelId);
}

/** A deployment, if it is one of the newest of its channel. */
export function deployedAs(
  { channels }: ReleaseTable,
  deploymentId: string,
): [channel: ReleaseChannel | undefined, deployment: ReleaseDeployment | undefined] {
  const isIt = ({ id }: ReleaseDeployment): boolean => id === deploymentId;
  const channel = channels.find(({ deployments }) => deployments.some(isIt));
  return [channel, channel?.deployments.find(isIt)];
}

/** The newest approved deployment of a channel. */
export function newestOf(channel: ReleaseChannel): ReleaseDeployment | undefined {
  return newestFirst(channel).find(({ approvalStatus }) => approvalStatus === 'approved');
}
