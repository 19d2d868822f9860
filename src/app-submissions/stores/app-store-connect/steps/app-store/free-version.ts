import type { Submission } from '../../../../submissions/submission.entity.js';
import type { AppStoreConnectClient } from '../../app-store-connect-client.js';
import { progressOf } from '../apple-progress.js';
import { removeVersion } from './review-room.service.js';

/** Takes the version of a submission that has ended out of a review submission that was not sent. Apple deletes none. */
export async function freeVersion(submission: Submission, client: AppStoreConnectClient): Promise<void> {
  const { reviewSubmissionId, versionId } = progressOf(submission);
  if (reviewSubmissionId === undefined || versionId === undefined) return;
  const { state } = await client.reviews.get(reviewSubmissionId);
  if (state === 'READY_FOR_REVIEW') await removeVersion(client, reviewSubmissionId, versionId);
}
