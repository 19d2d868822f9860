import { reviewKey } from '../../flow/store-turns.service.js';
import type { Submission } from '../../submissions/submission.entity.js';
import { StoreRefusal } from '../../calls/refusals/refusal.js';
import { versionPage } from './rules/app-store-pages.js';
import type { AppVersion, VersionSettings } from '../api/responses/app-store-resources.js';
import { chooseVersion, isFirstVersion, isSameVersion } from './rules/choose-version.js';
import { severalVersions, versionApproved, versionInReview } from './rules/review-refusals.js';
import type { AppStoreConnectClient } from '../api/app-store-connect-client.js';
import { trainClosed } from '../testflight/rules/step-refusals.js';
import { buildOf, type ReviewRun } from '../apple-state.js';
import type { Connect } from '../connect.js';
import { freeVersion, reviewOf, takeOutOfReview, waitForRoom } from './review-room.js';

const RULE = 'the App Store takes one version of an app to the review at a time.';

/** How often a version is looked for whose answer was lost. */
const MAX_LOOKS = 5;
const LOOK_AFTER = 5;

const RELEASE_TYPES = {
  manual: 'MANUAL',
  'after-approval': 'AFTER_APPROVAL',
  scheduled: 'SCHEDULED',
} as const;

/**
 * Finds or makes the version of the build in the App Store, when its turn has come. The turn of the upload was given back when
 * Apple had the file.
 */
export async function prepareVersion(run: ReviewRun, { accounts }: Connect): Promise<void> {
  const { submission } = run;
  const { platform, version: wanted } = buildOf(submission);
  const appleAppId = run.reached('appleAppId');
  await run.takeTurn(reviewKey(appleAppId, platform), RULE);
  const client = await accounts.clientOf(run);
  const versions = await client.appStore.versions(appleAppId, platform);
  const link = versionPage(appleAppId, platform);
  const choice = chooseVersion(versions, { version: wanted, buildId: run.reached('buildId') });
  await begin(run, isFirstVersion(versions));
  switch (choice.kind) {
    case 'submitted':
      return adopt(run, client, choice.version);
    case 'approved':
      throw versionApproved(choice.version, link);
    case 'closed':
      throw trainClosed(wanted, choice.closing);
    case 'several':
      throw severalVersions(choice.versions, link);
    case 'in-review':
      if (!submission.rejectsIfPossible) throw versionInReview(choice.version, link);
      return takeOutOfReview(run, client, choice.version);
    case 'use':
      await freeVersion(run, client, choice.version);
      return use(run, client, choice.version);
    case 'create':
      return create(run, client);
  }
}

/** What was sent until now is in TestFlight. Until the review begins, the submission can be canceled again. */
async function begin(run: ReviewRun, isFirst: boolean): Promise<void> {
  if (run.state.isFirstVersion === isFirst && run.submission.commitSentAt === null) return;
  await run.keep({ isFirstVersion: isFirst }, { commitSentAt: null });
}

/** Goes on with a review that has begun, such as that of another destination, or after a lost answer. */
async function adopt(run: ReviewRun, client: AppStoreConnectClient, version: AppVersion): Promise<never> {
  await run.log('This very build is in the review of the App Store already, so nothing is sent again.');
  const review = await reviewOf(run, client, version.id);
  if (review === null) return waitForRoom(run);
  await run.keep({ versionId: version.id, reviewSubmissionId: review.id });
  return run.goOn('submit-review');
}

/** Goes on with a version that App Store Connect has: it takes no second one. */
async function use(run: ReviewRun, client: AppStoreConnectClient, version: AppVersion): Promise<void> {
  const changes = changesOf(version, settingsOf(run.submission));
  if (changes.versionString !== undefined)
    await run.log(
      `App Store Connect has the version ${version.versionString} that was not released. It becomes ${changes.versionString}, and keeps its texts and pictures.`,
    );
  if (Object.keys(changes).length > 0) await client.appStore.updateVersion(version.id, changes);
  await keepVersion(run, version.id);
}

/** Makes a version. After a lost answer, it is in the list. */
async function create(run: ReviewRun, client: AppStoreConnectClient): Promise<void> {
  const { submission } = run;
  const { hasBegunVersion = false } = run.state;
  await run.keep({ hasBegunVersion: true });
  const { platform } = buildOf(submission);
  let versionId: string;
  try {
    const appleAppId = run.reached('appleAppId');
    versionId = await client.appStore.createVersion(appleAppId, platform, settingsOf(submission));
  } catch (error) {
    const isCreated = hasBegunVersion && error instanceof StoreRefusal && error.status === 409;
    if (!isCreated || run.attempts >= MAX_LOOKS) throw error;
    await run.log('App Store Connect may have the version of an attempt whose answer was lost.');
    return run.tryAgain({ afterSeconds: LOOK_AFTER });
  }
  await keepVersion(run, versionId);
}

async function keepVersion(run: ReviewRun, versionId: string): Promise<void> {
  await run.log(`Preparing the version ${buildOf(run.submission).version} for the App Store.`);
  await run.keep({ versionId });
}

function settingsOf(submission: Submission): VersionSettings {
  const { appleReleaseType, earliestReleaseAt } = submission;
  const releaseType = RELEASE_TYPES[appleReleaseType ?? 'manual'];
  return {
    versionString: buildOf(submission).version,
    releaseType,
    earliestReleaseDate: releaseType === 'SCHEDULED' ? earliestReleaseAt : null,
  };
}

/** What differs. Apple keeps the spelling of a version that came first. */
function changesOf(present: AppVersion, wanted: VersionSettings): Partial<VersionSettings> {
  const { versionString, releaseType, earliestReleaseDate } = wanted;
  const isScheduled = earliestReleaseDate !== null;
  const hasDate = present.earliestReleaseDate?.getTime() === earliestReleaseDate?.getTime();
  const isReleasedSo = present.releaseType === releaseType && (!isScheduled || hasDate);
  return {
    ...(!isSameVersion(present.versionString, versionString) && { versionString }),
    ...(!isReleasedSo && { releaseType, earliestReleaseDate }),
  };
}
