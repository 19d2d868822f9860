import { type ApiKey, forbidden, type Role } from '../api-keys.ts';
import type { KnownCall } from './routes.ts';

const MANAGERS: readonly Role[] = ['ADMIN', 'APP_MANAGER'];
const DEVELOPERS: readonly Role[] = [...MANAGERS, 'DEVELOPER'];

/**
 * Who may change something; everything else, every role may read. Uploads of builds and internal tests are for Developers as
 * well, what testers outside of the team and the App Store get is for App Managers: https://developer.apple.com/support/roles/
 */
const CHANGES: Readonly<Partial<Record<KnownCall, readonly Role[]>>> = {
  createBuildUpload: DEVELOPERS,
  deleteBuildUpload: DEVELOPERS,
  createBuildUploadFile: DEVELOPERS,
  commitFile: DEVELOPERS,
  updateBuild: DEVELOPERS,
  createLocalization: DEVELOPERS,
  updateLocalization: DEVELOPERS,
  addToGroup: DEVELOPERS,
  addGroups: DEVELOPERS,
  betaReview: MANAGERS,
  createStoreVersion: MANAGERS,
  updateStoreVersion: MANAGERS,
  deleteStoreVersion: MANAGERS,
  attachBuild: MANAGERS,
  createVersionLocalization: MANAGERS,
  updateVersionLocalization: MANAGERS,
  deleteVersionLocalization: MANAGERS,
  createPhasedRelease: MANAGERS,
  updatePhasedRelease: MANAGERS,
  deletePhasedRelease: MANAGERS,
  releaseVersion: MANAGERS,
  createReviewSubmission: MANAGERS,
  updateReviewSubmission: MANAGERS,
  addReviewItem: MANAGERS,
  updateReviewItem: MANAGERS,
  removeReviewItem: MANAGERS,
};

/** @throws AppleError 403 */
export function requireRole({ role }: ApiKey, call: KnownCall): void {
  if (CHANGES[call]?.includes(role) === false) throw forbidden();
}

/** For testers outside of the team. @throws AppleError 403 */
export function requireManager({ role }: ApiKey): void {
  if (!MANAGERS.includes(role)) throw forbidden();
}
