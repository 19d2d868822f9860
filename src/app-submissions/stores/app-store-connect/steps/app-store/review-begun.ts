import type { ReleaseLook } from '../../../../store-releases/release-look.js';
import { databaseNow } from '../../../../../common/database-clock.js';
import type { StepContext, StepResult } from '../../../store.js';
import type { AppStoreConnectClient } from '../../app-store-connect-client.js';
import type { ReviewSubmission } from '../../app-store/app-store-resources.js';
import { lookOfVersion } from '../../app-store/version-look.js';
import { buildOf } from '../apple-builds.service.js';
import { reached } from '../apple-progress.js';
import { factsOf } from './version-facts.js';

/** States of a review submission that its version has as well. Right after the start, Apple may still show the one before. */
const VERSION_STATES: Readonly<Record<string, string>> = {
  READY_FOR_REVIEW: 'WAITING_FOR_REVIEW',
  WAITING_FOR_REVIEW: 'WAITING_FOR_REVIEW',
  IN_REVIEW: 'IN_REVIEW',
};

/** Ends a submission whose review has begun. */
export async function reviewBegun(
  context: StepContext,
  client: AppStoreConnectClient,
  review: ReviewSubmission,
): Promise<StepResult> {
  const { submission } = context;
  const { version, buildNumber } = buildOf(submission);
  const name = `${version} (${buildNumber})`.slice(0, 60);
  // From here on, nothing of it is left over in App Store Connect.
  await context.save({ commitSentAt: submission.commitSentAt ?? databaseNow() });
  const release = await lookAt(context, client, review);
  const message = `The version ${name} was sent to the review of the App Store.`;
  await context.log(message, release.message);
  return {
    kind: 'done',
    state: 'prepared',
    message,
    ...(release.link !== null && { link: release.link }),
    release,
  };
}

async function lookAt(
  { submission }: StepContext,
  client: AppStoreConnectClient,
  { state }: ReviewSubmission,
): Promise<ReleaseLook> {
  const facts = factsOf(submission, { status: 'waiting_for_review' });
  const versionId = reached(submission, 'versionId');
  const known = VERSION_STATES[state ?? ''];
  // Only the version shows what has happened to it in the meantime.
  if (known === undefined) return lookOfVersion(await client.appStore.version(versionId), facts);
  const values = { releaseType: null, earliestReleaseDate: null, buildId: null, phasedRelease: null };
  return lookOfVersion({ id: versionId, versionString: '', state: known, ...values }, facts);
}
