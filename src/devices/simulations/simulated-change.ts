import type { ReleaseChannel, ReleaseDeployment, ReleaseTable } from '../releases/release-table.js';
import { DEPLOYMENTS_PER_CHANNEL } from '../releases/release-table.queries.js';
import type { Subject } from './excluded-devices.js';

/** An app as it is, and as a change would leave it. */
export interface SimulatedChange {
  readonly before: ReleaseTable;
  readonly after: ReleaseTable;
  readonly subject: Subject;
  /** Devices whose forced channel changes. */
  readonly forced: ReadonlyMap<string, string | null>;
  /** The deployment that there is not yet. */
  readonly added?: ReleaseDeployment;
}

const NONE_FORCED: ReadonlyMap<string, string | null> = new Map();

/** An app as it is: about what the devices of a channel get of a deployment. */
export function unchanged(table: ReleaseTable, channelId: string, deploymentId: string): SimulatedChange {
  return { before: table, after: table, subject: { channelId, deploymentId }, forced: NONE_FORCED };
}

/** A new deployment to a channel. It pushes out what is older than the newest that a decision looks at. */
export function deploying(table: ReleaseTable, channelId: string, added: ReleaseDeployment): SimulatedChange {
  const after = withChannel(table, channelId, (channel) => ({
    ...channel,
    deployments: [...channel.deployments, added]
      .sort((a, b) => b.sequence - a.sequence)
      .slice(0, DEPLOYMENTS_PER_CHANNEL),
  }));
  return { before: table, after, subject: { channelId, deploymentId: added.id }, forced: NONE_FORCED, added };
}

/** Another share for a deployment. */
export function rollingOut(
  table: ReleaseTable,
  channelId: string,
  deploymentId: string,
  rolloutPercentage: number,
): SimulatedChange {
  const after = withChannel(table, channelId, (channel) => ({
    ...channel,
    deployments: channel.deployments.map((deployment) =>
      deployment.id === deploymentId ? { ...deployment, rolloutPercentage } : deployment,
    ),
  }));
  return { before: table, after, subject: { channelId, deploymentId }, forced: NONE_FORCED };
}

/** @param pausedAt `null`: delivers again; a channel that is paused already stays so since then */
export function pausing(table: ReleaseTable, channelId: string, pausedAt: Date | null): SimulatedChange {
  const after = withChannel(table, channelId, (channel) => ({
    ...channel,
    pausedAt: pausedAt && (channel.pausedAt ?? pausedAt),
  }));
  return { before: table, after, subject: { channelId, deploymentId: null }, forced: NONE_FORCED };
}

/** @param channelId `null`: forced no longer */
export function forcing(
  table: ReleaseTable,
  deviceIds: readonly string[],
  channelId: string | null,
): SimulatedChange {
  const forced = new Map(deviceIds.map((id) => [id, channelId]));
  return { before: table, after: table, subject: { channelId, deploymentId: null }, forced };
}

/** Deployments that are deleted: about what each device gets instead. */
export function deleting(before: ReleaseTable, after: ReleaseTable): SimulatedChange {
  return { before, after, subject: { channelId: null, deploymentId: null }, forced: NONE_FORCED };
}

function withChannel(
  table: ReleaseTable,
  channelId: string,
  change: (channel: ReleaseChannel) => ReleaseChannel,
): ReleaseTable {
  return {
    ...table,
    channels: table.channels.map((channel) => (channel.id === channelId ? change(channel) : channel)),
  };
}
