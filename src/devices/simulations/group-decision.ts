import type { DecisionReason, DeploymentCheck, DeploymentStep } from '../releases/decision.js';
import { decideForDevice, type DeviceCheck } from '../releases/device-decision.js';
import type { ReleaseChannel, ReleaseDeployment, ReleaseTable } from '../releases/release-table.js';
import { isInRollout } from '../releases/rollout.js';

/** A release table in which nobody is inside of a partial rollout, and a channel's id stands for who is forced to it. */
export interface GroupTable {
  readonly table: ReleaseTable;
  /** The deployments as they are, by id. */
  readonly deployments: ReadonlyMap<string, ReleaseDeployment>;
}

/** What is decided about all devices that say the same and are forced to the same channel, whatever their ids. */
export interface GroupDecision {
  readonly channel: ReleaseChannel | null;
  /** Why there is nothing for a device that is inside of no candidate's rollout. */
  readonly reason: Exclude<DecisionReason, 'served'>;
  /** The deployments that a device may get, newest first: the first one whose rollout it is inside of. */
  readonly candidates: readonly ReleaseDeployment[];
  /** All deployments that were looked at, newest first. */
  readonly steps: readonly DeploymentStep[];
}

/** Prepares a table for decisions about groups. */
export function toGroupTable(table: ReleaseTable): GroupTable {
  const deployments = table.channels.flatMap((channel) => channel.deployments);
  return {
    table: {
      ...table,
      forcedChannelIds: new Map(table.channels.map(({ id }) => [id, id])),
      channels: table.channels.map((channel) => ({
        ...channel,
        deployments: channel.deployments.map((deployment) =>
          deployment.rolloutPercentage < 1 ? { ...deployment, rolloutPercentage: 0 } : deployment,
        ),
      })),
    },
    deployments: new Map(deployments.map((deployment) => [deployment.id, deployment])),
  };
}

/**
 * As `decide`, for everybody who says the same: only the rollouts are left open. It reads the steps of `decide` itself,
 * which goes on to the first full rollout, since nobody is inside of a partial one.
 *
 * @param check what the devices say; its id does not count
 * @param forcedChannelId the channel that is forced on them
 */
export function decideForGroup(
  { table, deployments }: GroupTable,
  check: DeviceCheck,
  forcedChannelId: string | null,
  now: Date,
): GroupDecision {
  const decision = decideForDevice(table, { ...check, deviceId: forcedChannelId }, now, []);
  const steps = decision.trace.filter((step) => step.step === 'deployment');
  return {
    channel: decision.channel,
    reason: decision.reason === 'served' ? 'no-acceptable-deployment' : decision.reason,
    candidates: steps
      .filter((step) => failureIn(step) === null)
      .map(({ deploymentId }) => deployments.get(deploymentId))
      .filter((deployment) => deployment !== undefined),
    steps,
  };
}

/** The first check that fails, the rollout apart; `null`: none. */
export function failureIn({ checks }: DeploymentStep): Exclude<DeploymentCheck['check'], 'rollout'> | null {
  for (const { check, passed } of checks) if (!passed && check !== 'rollout') return check;
  return null;
}

/** The candidateIndex of the deployment that a device gets among the candidates; their number, when it gets none. */
export function candidateIndexOf({ candidates }: GroupDecision, deviceId: string): number {
  for (let candidateIndex = 0; candidateIndex < candidates.length; candidateIndex++) {
    const { id, rolloutPercentage } = candidates[candidateIndex]!;
    if (isInRollout(id, deviceId, rolloutPercentage)) return candidateIndex;
  }
  return candidates.length;
}
