import type { Platform, ReleaseChannel, ReleaseDeployment } from '../releases/release-table.js';
import { isApproved, isReady, isSignedAsRequired } from './conditions.js';
import { type ReadConstraint, readConstraint } from './version-constraint.js';

/** A deployment that devices may be offered, as far as its channel is concerned. */
export interface Candidate {
  readonly deployment: ReleaseDeployment;
  /** Native versions of the platform that may receive it; `null`: all. */
  readonly constraint: ReadConstraint | null;
}

/** They live as long as the channel, which never changes: a change of the app makes another one. */
const candidates = new WeakMap<ReleaseChannel, Partial<Record<Platform, readonly Candidate[]>>>();

/**
 * The deployments of a channel that devices of a platform may be offered, newest first. They are sorted and their versions
 * are read once, so that a device which none of them is for costs a few comparisons of numbers.
 */
export function candidatesOf(channel: ReleaseChannel, platform: Platform): readonly Candidate[] {
  let byPlatform = candidates.get(channel);
  if (byPlatform === undefined) candidates.set(channel, (byPlatform = {}));
  return (byPlatform[platform] ??= findCandidates(channel, platform));
}

function findCandidates(channel: ReleaseChannel, platform: Platform): readonly Candidate[] {
  return channel.deployments
    .filter(
      (deployment) =>
        isReady(deployment) && isApproved(deployment) && isSignedAsRequired(deployment, channel),
    )
    .sort((a, b) => b.sequence - a.sequence)
    .map((deployment) => {
      const { min, max, eq } = deployment.constraints[platform];
      const isOpen = min === null && max === null && eq === null;
      return { deployment, constraint: isOpen ? null : readConstraint({ min, max, eq }, platform) };
    });
}
