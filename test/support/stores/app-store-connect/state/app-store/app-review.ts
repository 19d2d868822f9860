import { holderOf, type ReviewSubmission } from './review-submission.ts';
import { isLive, type StoreVersion } from './store-version.ts';

/** How App Review and the App Store behave from now on. */
export interface ReviewBehavior {
  /** How many reads find a canceled submission in `CANCELING`; `Infinity`: all. */
  cancelReads: number;
  /** How many reads find an approved submission in `COMPLETING`. */
  completeReads: number;
  /** App Review is faster: a submission that is canceled ends approved. */
  approvesCanceled: boolean;
  /** How many edits of a version are refused after its cancellation. */
  lockedEdits: number;
  /** How many times a submission "is not ready to be submitted yet". */
  notReady: number;
  /** How many reads find a version in `PROCESSING_FOR_DISTRIBUTION`; `Infinity`: all. */
  liveReads: number;
  /** How many versions cannot take a build yet, because it was "just processed". */
  attachRefusals: number;
  /** How far the clock of the App Store is ahead, in milliseconds: it releases what is scheduled. */
  clockOffset: number;
}

export const USUAL_REVIEW: ReviewBehavior = {
  cancelReads: 1,
  completeReads: 0,
  approvesCanceled: false,
  lockedEdits: 0,
  notReady: 0,
  liveReads: 0,
  attachRefusals: 0,
  clockOffset: 0,
};

/** What App Review does with a version. */
export type ReviewDecision = 'begin' | 'approve' | 'reject' | 'reject-metadata' | 'invalid-binary';

const REJECTED = {
  reject: 'REJECTED',
  'reject-metadata': 'METADATA_REJECTED',
  'invalid-binary': 'INVALID_BINARY',
} as const;

/** How long a phased release can be paused in all, in days: https://developer.apple.com/help/app-store-connect/update-your-app/release-a-version-update-in-phases */
const LONGEST_PAUSE = 30;
const DAYS = 7;

/** App Review decides. @throws Error if the version is not in review */
export function decide(version: StoreVersion, decision: ReviewDecision, behavior: ReviewBehavior): void {
  const item = holderOf(version);
  const { submission } = item ?? {};
  if (submission?.state !== 'WAITING_FOR_REVIEW' && submission?.state !== 'IN_REVIEW')
    throw new Error(`Version ${version.versionString} is not in review, but ${version.state}.`);
  if (decision === 'begin') {
    submission.state = 'IN_REVIEW';
    version.state = 'IN_REVIEW';
  } else if (decision === 'approve') approve(submission, behavior);
  else {
    // The version stays in the submission: https://github.com/fastlane/fastlane/issues/20100
    submission.state = 'UNRESOLVED_ISSUES';
    Object.assign(item ?? {}, { state: 'REJECTED', isResolved: false });
    version.state = REJECTED[decision];
  }
}

function approve(submission: ReviewSubmission, { completeReads, liveReads }: ReviewBehavior): void {
  submission.state = completeReads > 0 ? 'COMPLETING' : 'COMPLETE';
  submission.readsUntilComplete = completeReads;
  for (const item of submission.items) {
    item.state = 'APPROVED';
    const { version } = item;
    if (version.releaseType === 'AFTER_APPROVAL') beginDistribution(version, liveReads);
    else version.state = 'PENDING_DEVELOPER_RELEASE';
  }
}

/** It goes to the App Store. It skips `PENDING_DEVELOPER_RELEASE` unless it was there. */
export function beginDistribution(version: StoreVersion, liveReads: number): void {
  version.state = 'PROCESSING_FOR_DISTRIBUTION';
  version.readsUntilLive = liveReads;
  if (liveReads === 0) goLive(version);
}

/** Users can get it, and the version before is replaced. */
export function goLive(version: StoreVersion): void {
  const { app, platform, phasedRelease, build } = version;
  for (const other of app.versions) {
    if (other !== version && other.platform === platform && isLive(other))
      other.state = 'REPLACED_WITH_NEW_VERSION';
  }
  version.state = 'READY_FOR_DISTRIBUTION';
  if (phasedRelease !== null)
    Object.assign(phasedRelease, { state: 'ACTIVE', startDate: new Date(), currentDayNumber: 1 });
  const { versionString } = version;
  app.releases.push({ versionString, platform, buildId: build?.id ?? null, at: new Date() });
}

/** A day of a phased release is over. @throws Error if it has none that is running */
export function passDay({ phasedRelease: phased, versionString }: StoreVersion): void {
  if (phased?.state === 'ACTIVE') {
    const day = (phased.currentDayNumber ?? 0) + 1;
    if (day > DAYS) phased.state = 'COMPLETE';
    else phased.currentDayNumber = day;
  } else if (phased?.state === 'PAUSED') {
    phased.totalPauseDuration += 1;
    if (phased.totalPauseDuration >= LONGEST_PAUSE) phased.state = 'ACTIVE';
  } else throw new Error(`Version ${versionString} has no phased release that is running.`);
}

/** A read of a version, which brings its release forward. */
export function pollVersion(version: StoreVersion, { clockOffset, liveReads }: ReviewBehavior): StoreVersion {
  const { state, releaseType, earliestReleaseDate } = version;
  if (state === 'PROCESSING_FOR_DISTRIBUTION') {
    if (version.readsUntilLive > 0) version.readsUntilLive -= 1;
    else goLive(version);
  } else if (
    state === 'PENDING_DEVELOPER_RELEASE' &&
    releaseType === 'SCHEDULED' &&
    earliestReleaseDate !== null &&
    earliestReleaseDate.getTime() <= Date.now() + clockOffset
  )
    beginDistribution(version, liveReads);
  return version;
}

/** The submission is canceled, which takes some reads. */
export function cancel(submission: ReviewSubmission, { cancelReads }: ReviewBehavior): void {
  submission.state = 'CANCELING';
  submission.readsUntilComplete = cancelReads;
}

/** A read of a submission, which brings its end forward. */
export function pollSubmission(submission: ReviewSubmission, behavior: ReviewBehavior): ReviewSubmission {
  if (submission.state !== 'CANCELING' && submission.state !== 'COMPLETING') return submission;
  if (submission.readsUntilComplete > 0) {
    submission.readsUntilComplete -= 1;
    return submission;
  }
  if (submission.state === 'CANCELING') endCancellation(submission, behavior);
  submission.state = 'COMPLETE';
  return submission;
}

function endCancellation(submission: ReviewSubmission, behavior: ReviewBehavior): void {
  if (behavior.approvesCanceled) return approve(submission, { ...behavior, completeReads: 0 });
  for (const item of submission.items) {
    item.state = 'REMOVED';
    const { version } = item;
    version.lockedEdits = behavior.lockedEdits;
    if (version.state === 'WAITING_FOR_REVIEW' || version.state === 'IN_REVIEW')
      version.state = 'DEVELOPER_REJECTED';
  }
}
