import type { ReleaseLook } from '../../../../store-releases/release-look.js';
import type { Submission } from '../../../../submissions/submission.entity.js';
import type { AppStoreConnectClient } from '../../app-store-connect-client.js';
import { lookOfBuild } from '../../app-store/test-flight-look.js';
import { progressOf, reached } from '../apple-progress.js';

/** Asks where the build of a submission is in TestFlight. @throws StoreRefusal @throws StoreUnreachableError */
export async function lookAtBuild(
  client: AppStoreConnectClient,
  submission: Submission,
  known: ReleaseLook | null,
): Promise<ReleaseLook> {
  const { groups = [], buildUploadId } = progressOf(submission);
  const detail = await client.buildBetaDetail(reached(submission, 'buildId'));
  return lookOfBuild(detail, {
    appleAppId: reached(submission, 'appleAppId'),
    platform: submission.applePlatform,
    buildUploadId,
    hasExternalGroups: groups.some(({ isInternal }) => !isInternal),
    known,
  });
}
