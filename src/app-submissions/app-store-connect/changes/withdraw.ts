import { StoreRefusal } from '../../calls/refusals/refusal.js';
import type { AppVersion } from '../api/responses/app-store-resources.js';
import { releaseGone } from '../review/rules/review-refusals.js';
import { APPROVED, IN_REVIEW, isIn } from '../review/rules/version-states.js';
import { type ChangeRun, stateOf } from '../apple-state.js';
import type { Connect } from '../connect.js';
import { lookAfter, type OpenRelease, openRelease } from './releases.js';

/** How long it is waited until Apple has ended the review. */
const MAX_MINUTES = 30;
/** Seconds between two looks: more, the longer it takes. */
const FIRST_POLL = 3;
const LAST_POLL = 20;

const CANCELABLE: readonly (string | null)[] = ['WAITING_FOR_REVIEW', 'IN_REVIEW'];
/** `UNRESOLVED_ISSUES`: it was rejected. `READY_FOR_REVIEW`: it was never sent. */
const ENDED: readonly (string | null)[] = ['COMPLETE', 'UNRESOLVED_ISSUES', 'READY_FOR_REVIEW'];

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
  return waitForEnd(run, open);
}

async function cancel(run: ChangeRun, { client }: OpenRelease, id: string): Promise<void> {
  if (run.state.requestedAt === undefined) {
    await run.log('Asking Apple to end the review; that cannot be canceled from here on.');
    await run.announceCommit({ requestedAt: run.now().toISOString() });
  }
  try {
    await client.reviews.cancel(id);
  } catch (error) {
    // An earlier attempt has done it, or the review has ended: the next look shows it.
    if (!(error instanceof StoreRefusal) || error.refusal.code !== 'review_not_cancelable') throw error;
    await run.quote(error);
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
  if (isIn(IN_REVIEW, version)) return waitForEnd(run, open);
  const release = lookAfter(open, version, { status: 'waiting_for_review' });
  await run.log(release.message);
  if (release.status === 'withdrawn')
    return run.done({ state: 'prepared', message: release.message, release });
  const what = isOver(version)
    ? 'Apple has approved the version meanwhile'
    : 'The review has ended meanwhile';
  return run.fail(`${what}, so nothing was withdrawn. ${release.message}`, release);
}

async function waitForEnd(run: ChangeRun, open: OpenRelease): Promise<never> {
  const { roomSince } = run.state;
  const now = run.now();
  const since = roomSince ?? now.toISOString();
  if (roomSince === undefined) await run.keep({ roomSince: since });
  const waited = (now.getTime() - Date.parse(since)) / 1000;
  if (waited <= MAX_MINUTES * 60)
    return run.giveWay(Math.round(Math.min(LAST_POLL, FIRST_POLL + waited / 10)));
  const release = lookAfter(open, open.version, { status: 'waiting_for_review' });
  return run.fail(
    `Apple has not ended the review for ${MAX_MINUTES} minutes. See in App Store Connect where the version is, and try again if it is still in review.`,
    release,
  );
}
