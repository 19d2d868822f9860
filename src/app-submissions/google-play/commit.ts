import { isDefinite, refused, StoreRefusal } from '../calls/refusals/refusal.js';
import { refusalOfError } from '../calls/refusals/retry-delay.js';
import type { Done } from '../flow/submission-run.js';
import { inPercent } from '../releases/release-look.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { GooglePlayClient } from './api/google-play-client.js';
import type { Play } from './edit.js';
import { type EditRun, stateOf, type SubmitRun, trackOf } from './play-state.js';
import { PLAY_CONSOLE } from './refusals/play-pages.js';
import { lookAfterwards, type PlayShare, shareOf } from './release-looks.js';
import { isNotSent, isShown } from './release-of.js';

/** How often the commit is sent whose answer was lost, and the release looked for. */
const MAX_CONFIRMATIONS = 6;
const CONFIRM_AFTER = 5;

const SEND = 'Send it in the Play Console under "Publishing overview"';

type Committed = Pick<Submission, 'action' | 'track' | 'releaseStatus' | 'userFraction'>;

/** Lets Google Play check the edit, before anything is published. */
export async function validate(run: EditRun, { accounts }: Play): Promise<void> {
  const client = await accounts.clientOf(run);
  await run.log('Google Play checks the edit.');
  try {
    await client.validate(run.reached('editId'));
  } catch (error) {
    // Only the commit has the parameter that this asks for.
    if (!(error instanceof StoreRefusal) || error.refusal.does !== 'not-sent-for-review') throw error;
    await run.log('Google Play takes the changes only without sending them for review.');
    await run.quote(error);
  }
}

/**
 * Publishes the edit, which ends the submission and the run. So it only returns when the answer was lost, also that of a process
 * that was stopped: the next step asks.
 */
export async function commit(run: EditRun, { accounts }: Play): Promise<void> {
  const { submission } = run;
  if (submission.commitSentAt !== null) return;
  const client = await accounts.clientOf(run);
  await run.log(
    'Committing the edit. Changes that wait in the Play Console without having been sent go with it.',
    run.state.isNotSentForReview === true
      ? 'A person must send the changes for review afterwards.'
      : submission.cancelsReview
        ? 'A review that runs is canceled, as the request says.'
        : 'A review that runs is not canceled: then Google Play refuses the commit.',
  );
  await run.announceCommit();
  await send(run, client);
}

/**
 * After a commit whose answer was lost: an edit that still answers was not committed. One that is gone was, if its release is
 * there; otherwise something else has ended it.
 */
export async function confirm(run: SubmitRun, { accounts }: Play): Promise<void> {
  const { submission, session } = run;
  const client = await accounts.signInAgain(submission, session);
  const track = trackOf(submission);
  await run.log('Asking Google Play whether the edit was committed.');
  const releases = (await isOpen(run, client)) ? null : await client.releases(track);
  // Only looks that Google has answered count: others are attempts of the step.
  const confirmations = (run.state.confirmations ?? 0) + 1;
  await run.keep({ confirmations });
  if (releases === null) {
    if (confirmations > MAX_CONFIRMATIONS) {
      await run.takeBackCommit();
      throw unanswered();
    }
    await run.log('It was not committed. Committing it again.');
    if (submission.commitSentAt === null) await run.announceCommit();
    await send(run, client);
    return run.goOn('confirm');
  }
  // Shares of users do not show: what the track had before, the next edit compares.
  const { wasShown = false } = run.state;
  if (!wasShown && isShown(submission, releases)) return end(run, client, isNotSent(submission, releases));
  if (confirmations < MAX_CONFIRMATIONS / 2) return run.tryAgain({ afterSeconds: CONFIRM_AFTER });
  await run.takeBackCommit();
  throw lost();
}

/** Sends the commit, which was announced. Returns when an earlier one may have published the edit. */
async function send(run: EditRun, client: GooglePlayClient): Promise<void> {
  const { cancelsReview } = run.submission;
  const { isNotSentForReview: changesNotSentForReview = false } = run.state;
  try {
    await client.commit(run.reached('editId'), { cancelsReview, changesNotSentForReview });
  } catch (error) {
    const refusal = refusalOfError(error);
    if (refusal === null) throw error;
    if (isMaybeCommitted(refusal, run)) return run.quote(refusal);
    if (isDefinite(refusal)) {
      if (!isBesideAnother(refusal, run)) await run.takeBackCommit();
      throw error;
    }
    await run.explain(refusal);
    await run.log('Whether the commit took effect is not known.');
    return run.tryAgain({ from: 'confirm', afterSeconds: CONFIRM_AFTER });
  }
  await end(run, client, changesNotSentForReview);
}

async function end(run: EditRun, client: GooglePlayClient, isNotSentForReview: boolean): Promise<never> {
  const { submission } = run;
  const result = isNotSentForReview ? notSent(submission) : sent(submission);
  await run.log(result.message);
  return run.done({ ...result, release: await lookAfterwards(client, submission, shareAfter(submission)) });
}

async function isOpen(run: EditRun, client: GooglePlayClient): Promise<boolean> {
  try {
    await client.track(run.reached('editId'), trackOf(run.submission));
    return true;
  } catch (error) {
    const isGone =
      error instanceof StoreRefusal &&
      (error.refusal.does === 'new-edit' ||
        error.refusal.code === 'edit_committed' ||
        error.refusal.code === 'store_refused');
    if (isGone) return false;
    throw error;
  }
}

/** The share of users that the release has now. */
function shareAfter(submission: Submission): PlayShare {
  const { action, userFraction } = submission;
  if (action !== 'set-rollout') return shareOf(submission);
  const { resumeFraction = null } = stateOf(submission);
  return { userFraction, resumeFraction: userFraction === 0 ? resumeFraction : null };
}

/** Whether an earlier commit of the edit, whose answer was lost, may have published it. */
function isMaybeCommitted({ refusal }: StoreRefusal, { state }: EditRun): boolean {
  if (refusal.code === 'edit_committed') return true;
  return refusal.does === 'new-edit' && (state.confirmations ?? 0) > 0;
}

/** Whether Google Play refuses the commit because an earlier one, whose answer was lost, is still under way. */
function isBesideAnother({ refusal }: StoreRefusal, { state }: EditRun): boolean {
  return refusal.code === 'concurrent_update' && (state.confirmations ?? 0) > 0;
}

/** What an end without an answer of Google Play is, after several commits. */
export function unanswered(): StoreRefusal {
  return refused(
    'commit_unanswered',
    'Google Play has not confirmed the commit, although it was sent several times. Make the release in the Play Console, which often shows the cause, such as a missing right for production.',
    { link: PLAY_CONSOLE },
  );
}

function lost(): StoreRefusal {
  return refused(
    'edit_lost',
    'The edit is gone, and its release is not on the track. Slipway begins again with a new one; if that happens too often, make no changes to the app elsewhere and submit again.',
    { retry: 'again', does: 'new-edit' },
  );
}

/** The changes of the commit are on their way. */
function sent(submission: Committed): Done {
  return { state: 'prepared', message: messageOf(submission) };
}

/** The changes of the commit wait for a person who sends them for review. A draft does that in any case. */
function notSent(submission: Committed): Done {
  const { action, track, releaseStatus } = submission;
  if (action === 'set-rollout') {
    const message = `${messageOf(submission)} The change is not sent for review. ${SEND}.`;
    return { state: 'prepared', message, link: PLAY_CONSOLE };
  }
  if (releaseStatus !== 'completed') return sent(submission);
  const message = `The release is on the track ${track}, but not sent for review. ${SEND}, then mark the deployment as done.`;
  return { state: 'failed_with_action_required', message, link: PLAY_CONSOLE };
}

function messageOf({ action, track, releaseStatus, userFraction }: Committed): string {
  if (action === 'set-rollout') {
    if (userFraction === 0)
      return `The rollout on the track ${track} is halted: no further users get the release.`;
    return userFraction === 1
      ? `All users of the track ${track} get the release.`
      : `${inPercent(userFraction)} of the users of the track ${track} get the release.`;
  }
  return releaseStatus === 'completed'
    ? `The release is on the track ${track}. Google may review it before users get it.`
    : `The draft of the release is on the track ${track}. Finish it in the Play Console.`;
}
