import { checkNames } from '../channel-decision/decision.js';
import type { ReleaseChannel } from '../releases/release-table.js';
import { failureIn, type GroupDecision } from './group-decision.js';

/** Why a device does not get the deployment that a change is about; the first that applies, in this order. */
export const excludedReasons = [
  'no-default-channel',
  'channel-not-found',
  'forced-elsewhere',
  'other-channel',
  'channel-paused',
  'channel-expired',
  'nothing-deployed',
  ...checkNames.filter((name) => name !== 'rollout'),
  'newer-deployment',
  'rollout',
] as const;
export type ExcludedReason = (typeof excludedReasons)[number];

/** The deployment that a change is about. */
export interface Subject {
  /** `null`: the channel that each device is served from. */
  readonly channelId: string | null;
  /** `null`: the newest of the channel. */
  readonly deploymentId: string | null;
}

/** Which deployment a device of the channel should get; `null`: nothing was deployed. */
function wantedOf({ deploymentId }: Subject, { steps: [newest] }: GroupDecision): string | null {
  return deploymentId ?? newest?.deploymentId ?? null;
}

/**
 * Why a device does not get the subject; `null`: it does.
 *
 * @param candidateIndex of what it gets among the candidates of its group
 * @param forced whether its channel is forced
 */
export function excluded(
  subject: Subject,
  decision: GroupDecision,
  candidateIndex: number,
  forced: boolean,
): ExcludedReason | null {
  const { channel, reason, candidates, unsafeIds, steps } = decision;
  if (channel === null) return reason as 'no-default-channel' | 'channel-not-found';
  if (isElsewhere(subject, channel)) return forced ? 'forced-elsewhere' : 'other-channel';
  if (reason === 'channel-paused' || reason === 'channel-expired') return reason;
  const wanted = wantedOf(subject, decision);
  if (wanted === null) return 'nothing-deployed';
  const served = candidates[candidateIndex];
  if (served?.id === wanted) return unsafeIds.has(wanted) ? 'reuse' : null;
  const step = steps.find(({ deploymentId }) => deploymentId === wanted);
  if (step === undefined) return 'newer-deployment';
  const failure = failureIn(step);
  if (failure !== null) return failure;
  const isNewer =
    served !== undefined && steps.findIndex((s) => s.deploymentId === served.id) < steps.indexOf(step);
  if (isNewer) return 'newer-deployment';
  return unsafeIds.has(wanted) ? 'reuse' : 'rollout';
}

function isElsewhere({ channelId }: Subject, { id }: ReleaseChannel): boolean {
  return channelId !== null && channelId !== id;
}
