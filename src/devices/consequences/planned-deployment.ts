import type { VersionField, VersionFields } from '../../common/warnings/consequences.js';
import type { ReleaseBundle, ReleaseDeployment, VersionConstraint } from '../releases/release-table.js';
import type { Release } from '../releases/release-table-loader.js';

/** Stands for a bundle that does not exist yet. */
const NO_BUNDLE: ReleaseBundle = {
  id: '00000000-0000-0000-0000-000000000000',
  artifactType: 'zip',
  status: 'ready',
  signed: false,
  checksum: '0'.repeat(64),
  signature: null,
  url: null,
  expiresAt: null,
  unsafeReuses: new Map(),
  damaged: false,
  hasEmptyFiles: false,
  generatedZip: null,
  customProperties: null,
};
const OPEN: VersionConstraint = { min: null, max: null, eq: null };

/** A deployment for all devices, before there is one. @param release `null`: of a bundle that does not exist yet */
export function newDeployment(
  release: Release | null,
  versions: VersionFields,
  now: Date,
): ReleaseDeployment {
  const { bundle, constraints } = release ?? {
    bundle: NO_BUNDLE,
    constraints: { android: OPEN, ios: OPEN, electron: OPEN },
  };
  const changed = (
    former: VersionConstraint,
    platform: 'Android' | 'Ios' | 'Electron',
  ): VersionConstraint => {
    const bound = (name: keyof VersionConstraint): string | null => {
      const version = versions[`${name}${platform}AppVersionCode` satisfies VersionField];
      return version === undefined ? former[name] : version;
    };
    return { min: bound('min'), max: bound('max'), eq: bound('eq') };
  };
  return {
    id: bundle.id,
    createdAt: now,
    sequence: Infinity,
    approvalStatus: 'approved',
    rolloutPercentage: 1,
    bundle,
    constraints: {
      android: changed(constraints.android, 'Android'),
      ios: changed(constraints.ios, 'Ios'),
      electron: changed(constraints.electron, 'Electron'),
    },
  };
}

/** Whether a deployment is for some native versions only. */
export function hasConstraints({ constraints }: ReleaseDeployment): boolean {
  return Object.values(constraints).some(
    ({ min, max, eq }: VersionConstraint) => (min ?? max ?? eq) !== null,
  );
}

/** Whether a deployment goes to all devices, before those up to a place in the order of deployments. */
export function isForAll(deployment: ReleaseDeployment, sequence: number): boolean {
  const { approvalStatus, rolloutPercentage, bundle } = deployment;
  const isDelivered = approvalStatus === 'approved' && bundle.status === 'ready' && rolloutPercentage === 1;
  return isDelivered && deployment.sequence > sequence && !hasConstraints(deployment);
}
