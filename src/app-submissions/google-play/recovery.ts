import type { StoreRefusal } from '../calls/refusals/refusal.js';
import { retryDelay } from '../calls/refusals/retry-delay.js';
import { WITHOUT_UPLOAD } from '../flow/sealed-uploads.service.js';
import { forgetEdit, MAX_EDITS, type Play } from './edit.js';
import type { PlayRun } from './play-state.js';
import { publishedLook } from './release-looks.js';
import { codeOf, playArtifactType } from './release-of.js';

/** What Google wants about reviews can change once there and back. */
const MAX_REVIEW_CHANGES = 3;
/** A longer wait leaves the edit to others, in seconds. */
const KEEP_EDIT_SECONDS = 120;

/**
 * Goes on after a refusal of Google Play.
 *
 * @returns it is refused permanently, or was tried often enough
 */
export async function recover(refusal: StoreRefusal, run: PlayRun, play: Play): Promise<void> {
  const { state } = run;
  switch (refusal.refusal.does) {
    case 'new-edit':
      // Without an edit, the answer makes no sense, and another edit would change nothing.
      return state.editId === undefined ? later(refusal, run, play) : beginEditAgain(refusal, run);
    case 'same-file':
      return goOnWithSameFile(refusal, run, play);
    case 'ack-size-warning':
      if (state.acknowledgesSizeWarning === true) return;
      await run.keep({ acknowledgesSizeWarning: true }, WITHOUT_UPLOAD);
      await run.explain(refusal);
      return run.tryAgain({ afterSeconds: 1 });
    case 'not-sent-for-review':
      return changeReview(refusal, run, true);
    case 'send-for-review':
      return changeReview(refusal, run, false);
    case 'done':
      return alreadyDone(refusal, run);
    case 'new-upload':
      await run.save(WITHOUT_UPLOAD);
      return later(refusal, run, play);
    default:
      return later(refusal, run, play);
  }
}

/** The version is released, or its edit committed: not by this submission, which commits in its last steps only. */
async function alreadyDone(refusal: StoreRefusal, run: PlayRun): Promise<void> {
  const { action, userFraction } = run.submission;
  const isCommitted = refusal.refusal.code === 'edit_committed';
  if (action === 'set-rollout') {
    // The track of another edit shows what happened.
    if (isCommitted || userFraction === 1) await beginEditAgain(refusal, run);
    return;
  }
  if (isCommitted) {
    const isOwn = run.isAt('commit', 'confirm') || run.state.editId === undefined;
    // Programs with the same service account can get the same edit.
    if (!isOwn) await beginEditAgain(refusal, run);
    return;
  }
  // What the call wanted is there already.
  await run.explain(refusal);
  await run.done({
    state: 'prepared',
    message: 'Google Play has released this version to all users before.',
    release: publishedLook(run.submission, { userFraction: 1, resumeFraction: null }),
  });
}

/** The edit is gone: begins with another one, a few times. */
async function beginEditAgain(refusal: StoreRefusal, run: PlayRun): Promise<void> {
  const { edits = 0 } = run.state;
  if (edits >= MAX_EDITS) return;
  await forgetEdit(run);
  await run.explain(refusal);
  await run.tryAgain({ from: editStepOf(run), afterSeconds: 2 * Math.max(edits, 1) });
}

/** Google Play has a file with this version code, maybe since a draft that was discarded. */
async function goOnWithSameFile(refusal: StoreRefusal, run: PlayRun, { accounts }: Play): Promise<void> {
  const { submission, state } = run;
  // Only the upload asks for this: later, the file is there, and the same question would have the same answer.
  if (state.editId === undefined || !run.isAt('upload')) return;
  const client = await accounts.clientOf(run);
  const known = await client.artifacts(state.editId, playArtifactType(submission));
  const isSame = known.some(
    ({ versionCode, sha256 }) => versionCode === codeOf(submission) && sha256 === submission.sha256,
  );
  if (!isSame) return;
  await run.explain(refusal);
  await run.log('It is this very file, so the submission goes on with it.');
  await run.keep({ hasFile: true }, WITHOUT_UPLOAD);
  await run.goOn('symbols');
}

async function changeReview(refusal: StoreRefusal, run: PlayRun, isNotSentForReview: boolean): Promise<void> {
  const reviewChanges = (run.state.reviewChanges ?? 0) + 1;
  if (reviewChanges > MAX_REVIEW_CHANGES) return;
  await run.keep({ isNotSentForReview, reviewChanges });
  await run.explain(refusal);
  await run.tryAgain({ from: 'commit', afterSeconds: 1 });
}

async function later(refusal: StoreRefusal, run: PlayRun, play: Play): Promise<void> {
  const afterSeconds = retryDelay(refusal.refusal, run.attempts + 1);
  if (afterSeconds === null) return;
  if (afterSeconds > KEEP_EDIT_SECONDS && run.submission.commitSentAt === null)
    return letGo(refusal, run, play, afterSeconds);
  await run.explain(refusal);
  await run.tryAgain({ afterSeconds });
}

/** Others of this account and app must not wait for a store that has asked this one to wait. */
async function letGo(
  refusal: StoreRefusal,
  run: PlayRun,
  { accounts }: Play,
  afterSeconds: number,
): Promise<void> {
  const { editId, edits = 0 } = run.state;
  if (editId === undefined) {
    await run.save({}, run.releaseTurn);
    await run.explain(refusal);
    return run.tryAgain({ afterSeconds });
  }
  if (edits >= MAX_EDITS) return;
  await run.explain(refusal);
  await run.log('The edit is left to others in the meantime.');
  await accounts
    .clientOf(run)
    .then((client) => client.deleteEdit(editId))
    .catch(() => undefined);
  await forgetEdit(run, run.releaseTurn);
  await run.tryAgain({ from: editStepOf(run), afterSeconds });
}

/** The step that opens an edit. */
function editStepOf({ submission: { action } }: PlayRun): 'edit' | 'set-rollout' {
  return action === 'set-rollout' ? action : 'edit';
}
