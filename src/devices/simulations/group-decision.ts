import type { DecisionReason, DeploymentCheck, DeploymentStep } from '../channel-decision/decision.js';
import { decideForDevice, type DeviceCheck } from '../channel-decision/device-decision.js';
import type { ReleaseChannel, ReleaseDeployment, ReleaseTable } from '../releases/release-table.js';
import { NO_ROLLBACKS } from '../releases/rollback-counts.js';
import { isInRollout } from '../channel-decision/rollout.js';

/**
 * A release table for groups: no device is in a partial rollout, none has rolled a bundle back, and a channel's id
 * represents the devices forced to it.
 */
export interface GroupTable {
  readonly table: ReleaseTable;
  /** The unchanged deployments, by id. */
  readonly deployments: ReadonlyMap<string, ReleaseDeployment>;
}

/** The decision for all devices that report the same and are forced to the same channel, independent of their ids. */
export interface GroupDecision {
  readonly channel: ReleaseChannel | null;
  /** Why a device gets nothing that is in no candidate's rollout. */
  readonly reason: Exclude<DecisionReason, 'served'>;
  /** Candidates that a device which is in their rollout is not offered, because it would build them wrongly. */
  readonly unsafeIds: ReadonlySet<string>;
  /** The deployments that a device may get, newest first: it gets the first one whose rollout it is in. */
  readonly candidates: readonly ReleaseDeployment[];
  /** All deployments that were examined, newest first. */
  readonly steps: readonly DeploymentStep[];
}

/** Prepares a table for decisions about groups. */
export function toGroupTable(table: ReleaseTable): GroupTable {
  const deployments = table.channels.flatMap((channel) => channel.deployments);
  return {
    table: {
      ...table,
      rollbacks: NO_ROLLBACKS,
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
 * As `decide`, for all devices that report the same: only the rollouts are left open. It reads the trace of `decide`,
 * which continues to the first full rollout, because no device is in a partial one.
 *
 * @param check what the devices report; its device id is ignored
 * @param forcedChannelId the channel that is forced on them
 */
export function decideForGroup(
  { table, deployments }: GroupTable,
  check: DeviceCheck,
  forcedChannelId: string | null,
  now: Date,
): GroupDecision {
  const decision = decideForDevice(table, { ...check, deviceId: forcedChannelId }, () => now, []);
  const steps = decision.trace.filter((step) => step.step === 'deployment');
  return {
    channel: decision.channel,
    reason: isSelected(decision.reason) ? 'no-acceptable-deployment' : decision.reason,
    unsafeIds: new Set(
      steps
        .filter(({ checks }) => checks.some(({ check, passed }) => check === 'reuse' && !passed))
        .map(({ deploymentId }) => deploymentId),
    ),
    candidates: steps
      .filter((step) => failureIn(step) === null)
      .map(({ deploymentId }) => deployments.get(deploymentId))
      .filter((deployment) => deployment !== undefined),
    steps,
  };
}

/** Whether a deployment was selected, offered or not. */
function isSelected(reason: DecisionReason): reason is 'served' | 'unsafe-reuse' {
  return reason === 'served' || reason === 'unsafe-reuse';
}

/** The first check that excludes a deployment, but for the rollout; `null`: none. */
export function failureIn({
  checks,
}: DeploymentStep): Exclude<DeploymentCheck['check'], 'rollout' | 'reuse'> | null {
  for (const { check, passed } of checks) {
    if (!passed && check !== 'rollout' && check !== 'reuse') return check;
  }
  return null;
}

/** The index of the candidate that a device gets; the number of candidates when it gets none. */
export function candidateIndexOf({ candidates }: GroupDecision, deviceId: string): number {
  const index = candidates.findIndex(({ id, rolloutPercentage }) =>
    isInRollout(id, deviceId, rolloutPercentage),
  );
  return index === -1 ? candidates.length : index;
}
