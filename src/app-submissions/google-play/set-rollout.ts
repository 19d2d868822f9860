import { inPercent } from '../releases/in-percent.js';
import type { Submission } from '../submissions/submission.entity.js';
import { StoreRefusal } from '../calls/refusals/refusal.js';
import type { GooglePlayClient } from './api/google-play-client.js';
import { unanswered } from './refusals/own-refusals.js';
import { type PlayShare, lookOf, shareOfRelease } from './track-releases/release-looks.js';
import {
  findRelease,
  isAhead,
  isHaltedByPerson,
  rolloutOf,
  type WholeRelease,
} from './track-releases/rollout-of.js';
import { commit, validate } from './commit.js';
import { openEdit } from './edit.js';
import { lookAfterwards } from './play-looks.js';
import type { Play } from './play.js';
import { forgetEdit, MAX_EDITS, type RolloutRun, trackOf } from './play-state.js';

/**
 * Sets the share of users of a release in a separate edit: the track is read, and sent back with nothing else changed.
 *
 * @throws StoreRefusal @throws StoreUnreachableError
 */
export async function setRollout(run: RolloutRun, play: Play): Promise<void> {
  await run.once('set-rollout', () => changeShare(run, play));
  await run.once('validate', () => validate(run, play));
  // The commit ends the change, unless its answer is lost.
  await run.once('commit', () => commit(run, play));
  await run.once('confirm', () => readAgain(run));
}

/** Opens an edit and changes the share in it. After a lost answer, the track of another edit shows whether that took effect. */
async function changeShare(run: RolloutRun, play: Play): Promise<void> {
  const { submission, state } = run;
  const track = trackOf(submission);
  const wasSent = submission.commitSentAt !== null;
  if (run.isFirst && !wasSent)
    await run.log(
      `Setting the share of users of ${submission.packageName} (${submission.versionCode}) on the track ${track} of Google Play to ${inPercent(submission.userFraction)}.`,
    );
  const { client, editId } = await openEdit(run, play);
  const releases = await client.wholeTrack(editId, track);
  const rollout = await rolloutIn(client, submission, releases);
  if (rollout.kind === 'is-ahead') {
    // A commit that took effect before a person went on.
    if (wasSent) return end(run, client, rollout.release);
    throw await withLook(client, submission, rollout.release, isAhead(submission, rollout.release));
  }
  if (rollout.kind === 'is-there') {
    // Google can give the same edit twice, with what an earlier run has written into it.
    if (state.writtenEditId === editId) return;
    return end(run, client, rollout.release);
  }
  if (isResumedByPlan(submission, rollout.release))
    throw await withLook(client, submission, rollout.release, isHaltedByPerson(rollout.release));
  if (wasSent) {
    await run.log('The commit did not take effect.');
    // The edit is known to be open, so it can be discarded and the job canceled again.
    await run.takeBackCommit();
    if ((run.state.edits ?? 0) > MAX_EDITS) throw unanswered();
  }
  const { userFraction: present } = rollout.release;
  const isHalt = submission.userFraction === 0;
  await run.keep(
    { writtenEditId: editId, ...(isHalt && present !== null && { resumeFraction: present }) },
    { state: 'preparing' },
  );
  await run.log(
    `Google Play has it at ${shareText(rollout.release)}. Other releases of the track stay as they are.`,
  );
  await client.replaceTrack(editId, track, rollout.releases);
}

/** Whether a share was set shows in an edit only: another one, because this one has the change, committed or not. */
async function readAgain(run: RolloutRun): Promise<never> {
  await run.log('Asking Google Play whether the change was committed.');
  await forgetEdit(run);
  return run.goOn('set-rollout');
}

/** What the store has is recorded also when the change is refused. @throws StoreRefusal */
async function rolloutIn(
  client: GooglePlayClient,
  submission: Submission,
  releases: readonly WholeRelease[],
): Promise<ReturnType<typeof rolloutOf>> {
  try {
    return rolloutOf(submission, releases);
  } catch (error) {
    if (!(error instanceof StoreRefusal)) throw error;
    throw await withLook(client, submission, findRelease(submission, releases), error);
  }
}

async function withLook(
  client: GooglePlayClient,
  submission: Submission,
  release: WholeRelease | null,
  { refusal, status, storeMessage }: StoreRefusal,
): Promise<StoreRefusal> {
  const shown = await client.releases(trackOf(submission));
  const share = release === null ? NO_SHARE : shareOfRelease(release);
  return new StoreRefusal(refusal, status, storeMessage, lookOf(submission, shown, share, null));
}

async function end(run: RolloutRun, client: GooglePlayClient, release: WholeRelease): Promise<never> {
  const { submission } = run;
  const message = `The release is at ${shareText(release)} on the track ${trackOf(submission)}.`;
  await run.log(message);
  const look = await lookAfterwards(client, submission, shareOfRelease(release));
  return run.done({ state: 'prepared', message, release: look });
}

/** A plan ends when its release is halted, so only a person can have halted it in the store. Persons may resume it. */
function isResumedByPlan(
  { createdByUserId, userFraction }: Submission,
  { status }: Pick<WholeRelease, 'status'>,
): boolean {
  return createdByUserId === null && userFraction > 0 && status === 'halted';
}

const NO_SHARE: PlayShare = { userFraction: null, resumeFraction: null };

/** The share of a release for people. */
function shareText({ status, userFraction }: WholeRelease): string {
  if (status === 'completed') return '100 %';
  const share = userFraction === null ? 'an unknown share' : inPercent(userFraction);
  return status === 'halted' ? `${share}, halted` : share;
}
