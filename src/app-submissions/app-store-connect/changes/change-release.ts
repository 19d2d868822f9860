import type { AppVersion } from '../api/app-store-resources.js';
import { type ChangeRun, type ChangeState, type Connect, stateOf } from '../apple-state.js';
import { isDone, lookAgain, takeBackIfRefused } from '../lost-response.js';
import { notChangeable, releaseGone, releaseUnclear } from '../refusals/own-refusals.js';
import { APPROVED, IN_REVIEW, isIn } from '../review/choose-version.js';
import { cancelReview, MAX_MINUTES, waitForEnd } from '../review/review-room.js';
import { lookAfter, type OpenRelease, openRelease } from './look-at-release.js';

/** States in which Apple releases a version, or has released it. */
const RELEASED: readonly (string | null)[] = [
  'PENDING_APPLE_RELEASE',
  'PROCESSING_FOR_DISTRIBUTION',
  'READY_FOR_DISTRIBUTION',
];
const WAITS = 'PENDING_DEVELOPER_RELEASE';

type Wanted = 'ACTIVE' | 'PAUSED' | 'COMPLETE';

const IN_WORDS: Readonly<Record<Wanted, string>> = {
  ACTIVE: 'resumed',
  PAUSED: 'paused',
  COMPLETE: 'completed',
};

const CANCELABLE: readonly (string | null)[] = ['WAITING_FOR_REVIEW', 'IN_REVIEW'];
/** `UNRESOLVED_ISSUES`: it was rejected. `READY_FOR_REVIEW`: it was never sent. */
const ENDED: readonly (string | null)[] = ['COMPLETE', 'UNRESOLVED_ISSUES', 'READY_FOR_REVIEW'];

/** What is stored when a release or a withdrawal is announced. */
const ANNOUNCED: readonly (keyof ChangeState)[] = ['requestedAt'];

/** Releases a version that Apple has approved. @throws StoreRefusal @throws StoreUnreachableError */
export async function releaseVersion(run: ChangeRun, connect: Connect): Promise<void> {
  const open = await openRelease(run, connect);
  const { version, client } = open;
  // An earlier attempt, or a person, has done it.
  if (RELEASED.includes(version.state)) return endReleased(run, open, version);
  if (version.state !== WAITS) {
    const { message, link } = lookAfter(open, version, { status: 'waiting_for_review' });
    throw notChangeable('released', message, link);
  }
  const isRepeated = await announce(run, 'release the version');
  try {
    await client.appStore.requestRelease(version.id);
  } catch (error) {
    await takeBackIfRefused(run, error, { isRepeated, announced: ANNOUNCED });
    return lookAgain(run, error, { isRepeated });
  }
  return endReleased(run, open, await client.appStore.version(version.id));
}

async function endReleased(run: ChangeRun, open: OpenRelease, version: AppVersion): Promise<never> {
  const shown = version.state === WAITS ? { ...version, state: 'PROCESSING_FOR_DISTRIBUTION' } : version;
  const release = lookAfter(open, shown);
  await run.log(release.message);
  return run.done({ state: 'prepared', message: release.message, release });
}

/**
 * Pauses, resumes or completes the phased release of a version. Apple sets its shares.
 *
 * @throws StoreRefusal @throws StoreUnreachableError
 */
export async function setPhasedRelease(run: ChangeRun, connect: Connect): Promise<void> {
  const open = await openRelease(run, connect);
  const wanted = wantedOf(run.submission.userFraction);
  const { version, client } = open;
  // An earlier attempt, or a person, has done it.
  if (isSo(version, wanted)) return endSet(run, open, version, wanted);
  requireChangeable(open, wanted);
  await set(run, open, wanted);
  const present = await client.appStore.version(version.id);
  if (!isSo(present, wanted)) throw releaseUnclear(IN_WORDS[wanted], lookAfter(open, present).link);
  return endSet(run, open, present, wanted);
}

async function set(run: ChangeRun, { client, version }: OpenRelease, wanted: Wanted): Promise<void> {
  const { phasedRelease } = version;
  if (phasedRelease === null) return;
  const isRepeated = run.submission.commitSentAt !== null;
  if (!isRepeated) await run.announceCommit();
  try {
    await client.appStore.setPhasedRelease(phasedRelease.id, wanted);
  } catch (error) {
    // It is so already, or complete: what is read next decides.
    if (isDone(error)) return run.quote(error);
    await takeBackIfRefused(run, error, { isRepeated });
    throw error;
  }
}

function wantedOf(userFraction: number): Wanted {
  if (userFraction === 0) return 'PAUSED';
  return userFraction === 1 ? 'COMPLETE' : 'ACTIVE';
}

function isSo({ state, phasedRelease }: AppVersion, wanted: Wanted): boolean {
  if (state !== 'READY_FOR_DISTRIBUTION') return false;
  if (phasedRelease === null) return wanted === 'COMPLETE';
  return phasedRelease.state === wanted;
}

/** @throws StoreRefusal */
function requireChangeable(open: OpenRelease, wanted: Wanted): void {
  const { state, phasedRelease } = open.version;
  const isRunning = state === 'READY_FOR_DISTRIBUTION' && phasedRelease !== null;
  if (isRunning && phasedRelease.state !== 'COMPLETE') return;
  const { message, link } = lookAfter(open, open.version);
  throw notChangeable(IN_WORDS[wanted], message, link);
}

async function endSet(
  run: ChangeRun,
  open: OpenRelease,
  version: AppVersion,
  wanted: Wanted,
): Promise<never> {
  const release = lookAfter(open, version);
  const message = `The phased release is ${IN_WORDS[wanted]}. ${release.message}`;
  await run.log(message);
  return run.done({ state: 'prepared', message, release });
}

/**
 * Takes a version out of the review. Apple does that in its own time, and may approve the version in the meantime.
 *
 * @throws StoreRefusal @throws StoreUnreachableError
 */
export async function withdraw(run: ChangeRun, connect: Connect): Promise<void> {
  const open = await openRelease(run, connect);
  const { reviewSubmissionId } = stateOf(open.release);
  if (reviewSubmissionId === undefined) throw releaseGone();
  const review = await open.client.reviews.get(reviewSubmissionId);
  if (ENDED.includes(review.state)) return settle(run, open);
  if (CANCELABLE.includes(review.state) && !isOver(open.version)) await cancel(run, open, reviewSubmissionId);
  return waitForWithdrawal(run, open);
}

async function cancel(run: ChangeRun, { client }: OpenRelease, id: string): Promise<void> {
  const isRepeated = await announce(run, 'end the review');
  try {
    await cancelReview(run, client, id);
  } catch (error) {
    await takeBackIfRefused(run, error, { isRepeated, announced: ANNOUNCED });
    throw error;
  }
}

/** Apple has decided already, though its submission may not be complete yet. */
function isOver(version: AppVersion): boolean {
  return isIn(APPROVED, version) || version.state === 'READY_FOR_DISTRIBUTION';
}

/** The review has ended, one way or the other. */
async function settle(run: ChangeRun, open: OpenRelease): Promise<never> {
  const { version } = open;
  // The version shows it a moment later than the submission.
  if (isIn(IN_REVIEW, version)) return waitForWithdrawal(run, open);
  const release = lookAfter(open, version, { status: 'waiting_for_review' });
  await run.log(release.message);
  if (release.status === 'withdrawn')
    return run.done({ state: 'prepared', message: release.message, release });
  const what = isOver(version)
    ? 'Apple has approved the version meanwhile'
    : 'The review has ended meanwhile';
  return run.fail(`${what}, so nothing was withdrawn. ${release.message}`, release);
}

async function waitForWithdrawal(run: ChangeRun, open: OpenRelease): Promise<never> {
  await waitForEnd(run);
  const release = lookAfter(open, open.version, { status: 'waiting_for_review' });
  return run.fail(
    `Apple has not ended the review for ${MAX_MINUTES} minutes. See in App Store Connect where the version is, and try again if it is still in review.`,
    release,
  );
}

/** @param what Apple is asked to do @returns whether it was announced before: an earlier run may have sent the call */
async function announce(run: ChangeRun, what: string): Promise<boolean> {
  if (run.state.requestedAt !== undefined) return true;
  await run.log(`Asking Apple to ${what}; that cannot be canceled from here on.`);
  await run.announceCommit({ requestedAt: run.now().toISOString() });
  return false;
}
