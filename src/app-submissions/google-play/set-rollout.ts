import { refused, StoreRefusal } from '../calls/refusals/refusal.js';
import { inPercent } from '../releases/release-look.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { GooglePlayClient } from './api/google-play-client.js';
import type { PlayRelease, WholeRelease } from './api/google-play-responses.js';
import { commit, unanswered, validate } from './commit.js';
import { forgetEdit, MAX_EDITS, openEdit, type Play } from './edit.js';
import { type RolloutRun, trackOf } from './play-state.js';
import { PLAY_CONSOLE } from './refusals/play-pages.js';
import { lookAfterwards, lookOf, type PlayShare, shareOfRelease } from './release-looks.js';
import { codeOf } from './release-of.js';

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
  if (rollout.kind === 'is-there' && state.writtenEditId !== editId) return end(run, client, rollout.release);
  if (isResumedByPlan(submission, rollout.release))
    throw await withLook(client, submission, rollout.release, isHaltedByPerson(rollout.release));
  if (wasSent) {
    await run.log('The commit did not take effect.');
    // The edit is known to be open, so it can be discarded and the job canceled again.
    await run.takeBackCommit();
    if ((run.state.edits ?? 0) > MAX_EDITS) throw unanswered();
  }
  // Google can give the same edit twice, with what an earlier run has written into it.
  if (rollout.kind === 'is-there') return;
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
): Promise<Rollout> {
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

/** What becomes of a track when the share of a release changes. */
type Rollout =
  /** The share is the wanted one already. */
  | { readonly kind: 'is-there'; readonly release: WholeRelease }
  | { readonly kind: 'is-ahead'; readonly release: WholeRelease }
  /** The releases to send. */
  | { readonly kind: 'update'; readonly release: WholeRelease; readonly releases: readonly object[] };

type Wanted = Pick<Submission, 'versionCode' | 'track' | 'userFraction'>;

/** Shares are texts with few digits in between. */
const EPSILON = 1e-6;

/** The release of the version that counts: another one may be a draft. */
export function findRelease({ versionCode }: Wanted, releases: readonly WholeRelease[]): WholeRelease | null {
  const code = codeOf({ versionCode });
  const own = releases.filter(({ versionCodes }) => versionCodes.includes(code));
  return own.find(({ status }) => status !== 'draft') ?? own[0] ?? null;
}

/**
 * What to send so that the release of a version gets another share. Notes, name, priority and countries stay, and so do
 * other releases, except the completed one that a completed rollout replaces.
 *
 * Between 0 and 1, the share only grows: https://support.google.com/googleplay/android-developer/answer/6346149
 *
 * @param wanted with `userFraction` 0 the rollout stops, with 1 it is completed
 * @throws StoreRefusal when the track does not have it, or the share cannot be that one
 */
export function rolloutOf(wanted: Wanted, releases: readonly WholeRelease[]): Rollout {
  const release = findRelease(wanted, releases);
  if (release === null) throw missing(wanted, releases);
  const { userFraction: share } = wanted;
  const { status, userFraction: present } = release;
  switch (status) {
    case 'completed':
      if (share === 1) return { kind: 'is-there', release };
      if (share > 0) return { kind: 'is-ahead', release };
      throw released();
    case 'inProgress':
      if (share === 0) return update(releases, release, halted(present));
      break;
    case 'halted':
      if (share === 0) return { kind: 'is-there', release };
      break;
    case 'draft':
      throw isDraft();
    default:
      throw unknownStatus();
  }
  if (share === 1) return update(releases, release, { status: 'completed' });
  if (present !== null && share < present - EPSILON) return { kind: 'is-ahead', release };
  if (present !== null && share < present + EPSILON && status === 'inProgress')
    return { kind: 'is-there', release };
  return update(releases, release, { status: 'inProgress', userFraction: share });
}

function halted(present: number | null): object {
  return { status: 'halted', ...(present !== null && { userFraction: present }) };
}

function update(releases: readonly WholeRelease[], release: WholeRelease, changes: object): Rollout {
  const { userFraction: _, ...rest } = release.document;
  const changed: Record<string, unknown> = { ...rest, ...changes };
  // A track has one release for all users.
  const kept = releases.filter(
    (one) => one !== release && (changed['status'] !== 'completed' || one.status !== 'completed'),
  );
  return { kind: 'update', release, releases: [changed, ...kept.map(({ document }) => document)] };
}

/** The share in Google Play is above the wanted one. */
export function isAhead(
  { userFraction: share }: Wanted,
  { status, userFraction }: PlayRelease,
): StoreRefusal {
  if (status === 'completed' || userFraction === null) return released();
  const what = status === 'halted' ? 'The rollout was halted at' : 'The rollout is at';
  return refused(
    'rollout_ahead',
    `${what} ${inPercent(userFraction)} in Google Play, where a share only grows, so ${inPercent(share)} is too low. Set it to ${inPercent(userFraction)} or more, or to 0 to stop the rollout.`,
  );
}

/**
 * A person has halted the rollout in the Play Console, and a plan does not know why.
 *
 * @param release that is halted
 */
export function isHaltedByPerson({ userFraction }: PlayRelease): StoreRefusal {
  const at = userFraction === null ? '' : ` at ${inPercent(userFraction)}`;
  return refused(
    'rollout_halted',
    `The rollout was halted${at} in the Play Console, and a rollout plan does not resume it. To resume it, set a share that is not lower.`,
  );
}

function released(): StoreRefusal {
  return refused(
    'fully_released',
    'All users get the release already, so its share cannot be changed. To take it back, submit a build of the earlier version with a higher version code.',
  );
}

function missing({ versionCode, track }: Wanted, releases: readonly PlayRelease[]): StoreRefusal {
  const codes = releases
    .filter(({ status }) => status === 'completed' || status === 'inProgress')
    .flatMap(({ versionCodes }) => versionCodes);
  const highest = Math.max(0, ...codes);
  const name = (track ?? '').slice(0, 60);
  return highest > codeOf({ versionCode })
    ? refused(
        'release_replaced',
        `The track ${name} has the version code ${highest} in place of ${versionCode}, so there is no rollout to change. Change that of ${highest}.`,
      )
    : refused(
        'release_removed',
        `The track ${name} has no release with the version code ${versionCode} any more. Look for it in the Play Console, or submit the build again.`,
        { link: PLAY_CONSOLE },
      );
}

function isDraft(): StoreRefusal {
  return refused(
    'release_is_draft',
    'The release is a draft in Google Play, so no users get it. Finish it in the Play Console, then set its share.',
    { retry: 'after-action', link: PLAY_CONSOLE },
  );
}

function unknownStatus(): StoreRefusal {
  return refused(
    'store_answer_unexpected',
    'Google Play shows the release in a status that Slipway does not know. Change its rollout in the Play Console.',
    { link: PLAY_CONSOLE },
  );
}
