import { readVersion } from '../../common/compare-versions.js';
import { newestFirst } from '../releases/release-index.js';
import type {
  Platform,
  ReleaseChannel,
  ReleaseDeployment,
  VersionConstraint,
} from '../releases/release-table.js';
import { readConstraint, satisfiesEq, satisfiesMax, satisfiesMin } from './version-constraint.js';

/**
 * The newest deployment of a channel that some devices with a native version get, as far as their version decides.
 *
 * @param version `null`: unknown, so that every deployment may be for it
 * @returns `undefined`: there is none
 */
export function newestForVersion(
  channel: ReleaseChannel,
  platform: Platform,
  version: string | null,
  now: Date,
): ReleaseDeployment | undefined {
  if (channel.expiresAt !== null && channel.expiresAt <= now) return undefined;
  return newestFirst(channel).find(
    (deployment) =>
      isDelivered(deployment, now) &&
      (version === null || admits(deployment.constraints[platform], version, platform)),
  );
}

/** Whether some devices get a deployment, if their channel is not paused. */
export function isDelivered(
  { approvalStatus, rolloutPercentage, bundle }: ReleaseDeployment,
  now: Date,
): boolean {
  const { status, damaged, expiresAt } = bundle;
  const isOffered = status === 'ready' && !damaged && (expiresAt === null || expiresAt > now);
  return isOffered && approvalStatus === 'approved' && rolloutPercentage > 0;
}

function admits(constraint: VersionConstraint, text: string, platform: Platform): boolean {
  const version = readVersion(text, platform);
  const read = readConstraint(constraint, platform);
  return satisfiesMin(version, read) && satisfiesMax(version, read) && satisfiesEq(version, read);
}
