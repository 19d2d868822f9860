import { refused, StoreRefusal } from '../calls/refusals/refusal.js';
import { nearMiss } from '../calls/store-text.js';
import { trackKey } from '../flow/store-turns.service.js';
import { inPercent } from '../releases/release-look.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { GooglePlayClient } from './api/google-play-client.js';
import type { PlayRelease, ReleaseSummary } from './api/google-play-responses.js';
import { commit, confirm, validate } from './commit.js';
import { openEdit, type Play } from './edit.js';
import { type SubmitRun, trackOf } from './play-state.js';
import { lookAfterwards, shareOf } from './release-looks.js';
import {
  codeOf,
  findAhead,
  highestCode,
  isNotSent,
  isReleased,
  isShown,
  playArtifactType,
  releaseOf,
  toPlayNotes,
} from './release-of.js';
import { uploadFile, uploadSymbols } from './upload.js';

/** How often the store is asked whether a person has finished, in seconds. */
const POLL_SECONDS = 300;
/** Releases there wait for no other ones. */
const INTERNAL = 'internal';

/**
 * Makes a release of a file on a track, in one edit. A promotion makes it of a file that Google Play has. What ends the edit
 * leads back to the step `edit`: see `recover`.
 *
 * @throws StoreRefusal @throws StoreUnreachableError
 */
export async function submit(run: SubmitRun, play: Play): Promise<void> {
  await run.once('check', () => check(run, play));
  await run.once('edit', () => compare(run, play));
  // For a promotion, Google Play has had the symbols with the file.
  if (run.submission.action === 'submit') {
    await run.once('upload', () => uploadFile(run, play), { unless: run.state.hasFile });
    await run.once('symbols', () => uploadSymbols(run, play));
  }
  await run.once('track', () => setTrack(run, play));
  await run.once('validate', () => validate(run, play));
  // The commit ends the submission, unless its answer is lost.
  await run.once('commit', () => commit(run, play));
  await run.once('confirm', () => confirm(run, play));
}

/** Asks what can be known without an edit: the account, the app, and who is in front on the track. */
async function check(run: SubmitRun, play: Play): Promise<void> {
  const { submission, session } = run;
  const account = await play.accounts.of(submission);
  const track = trackOf(submission);
  if (run.isFirst)
    await run.log(
      `${submission.action === 'promote' ? 'Promoting' : 'Submitting'} ${submission.packageName} ${submission.versionName ?? ''} (${submission.versionCode}) to the track ${track} of Google Play.`,
      'Signing in to Google.',
    );
  const client = await play.accounts.signIn(account, submission.packageName, session);
  const releases = await releasesOf(client, track);
  await waitForPeople(run, play, track, releases);
  requireHigher(submission, track, releases ?? []);
  await run.keep({ keyId: account.keyId, wasShown: isShown(submission, releases ?? []) });
}

/** Waits for a person who has to finish another release of the track. */
async function waitForPeople(
  run: SubmitRun,
  { progress }: Play,
  track: string,
  releases: readonly ReleaseSummary[] | null,
): Promise<void> {
  if (track === INTERNAL) return;
  const { packageName, appId } = run.submission;
  const others = await progress.actionRequired(packageName, track);
  // Also when it was sent, or discarded, without a word to Slipway.
  const other = others.find((one) => releases === null || isNotSent(one, releases));
  if (other === undefined) return;
  const who = other.appId === appId ? `the deployment ${other.id}` : 'another submission';
  await run.wait({
    key: trackKey(packageName, track),
    message: `Waits for ${who}, whose release on the track ${track} a person must send for review in the Play Console.`,
    afterSeconds: POLL_SECONDS,
  });
}

/** Opens the edit, and compares the app in the store with the submission. */
async function compare(run: SubmitRun, play: Play): Promise<void> {
  const { submission } = run;
  const { account, client, editId } = await openEdit(run, play);
  const track = trackOf(submission);
  const tracks = await client.tracks(editId);
  if (!tracks.includes(track)) throw trackMissing(track, tracks);
  const languages = await client.listingLanguages(editId);
  const defaultLanguage = account.defaultLanguage ?? (await client.details(editId)).defaultLanguage;
  const { notes, missing } = toPlayNotes(submission.releaseNotes, defaultLanguage, languages);
  if (missing.length > 0) {
    const which = `${missing.slice(0, 20).join(', ')}${missing.length > 20 ? ', …' : ''}`;
    await run.log(
      notes.length === 0
        ? 'The release has no notes.'
        : `Languages of the store listing without release notes: ${which}.`,
    );
  }
  const hasFile = await hasThisFile(submission, client, editId);
  await run.keep({ languages, ...(defaultLanguage !== null && { defaultLanguage }), hasFile });
  if (!hasFile) return;
  const { releases } = await client.track(editId, track);
  if (isReleased(submission, releases)) {
    await run.log(`The track ${track} has this release already, so nothing is sent.`);
    return run.done({
      state: 'prepared',
      message: `The track ${track} has had this release before.`,
      release: await lookAfterwards(client, submission, shareOf(submission)),
    });
  }
  const ahead = findAhead(submission, releases);
  if (ahead !== null) throw takesFromUsers(submission, ahead);
  await run.log('Google Play has this very file already, so it is not uploaded again.');
}

/** Puts the release on its track. */
async function setTrack(run: SubmitRun, { accounts }: Play): Promise<void> {
  const { submission } = run;
  const { languages = [], defaultLanguage = null } = run.state;
  const release = releaseOf(submission, toPlayNotes(submission.releaseNotes, defaultLanguage, languages));
  const track = trackOf(submission);
  const client = await accounts.clientOf(run);
  const share = release.userFraction === undefined ? '' : ` for ${100 * release.userFraction} % of the users`;
  await run.log(`Setting the release of the track ${track}: ${release.status}${share}.`);
  await client.updateTrack(run.reached('editId'), track, release);
  await run.save({ state: 'preparing' });
}

/** @returns `null`: Google Play does not show them without an edit, and the edit says why */
async function releasesOf(client: GooglePlayClient, track: string): Promise<ReleaseSummary[] | null> {
  try {
    return await client.releases(track);
  } catch (error) {
    const isUnknown =
      error instanceof StoreRefusal && ['store_refused', 'track_not_found'].includes(error.refusal.code);
    if (isUnknown) return null;
    throw error;
  }
}

/** A draft reaches no user until it is released, so only other releases are compared. */
function requireHigher(submission: Submission, track: string, releases: readonly ReleaseSummary[]): void {
  const highest = highestCode(releases);
  if (submission.releaseStatus !== 'completed' || highest === null || codeOf(submission) >= highest) return;
  throw refused(
    'version_code_too_low',
    `The track ${track.slice(0, 60)} has the version code ${highest}, which is above ${submission.versionCode}, so no user would get this release. Raise versionCode, build again and submit that build; a retry does not help.`,
  );
}

/** @throws StoreRefusal when another file has the version code */
async function hasThisFile(
  submission: Submission,
  client: GooglePlayClient,
  editId: string,
): Promise<boolean> {
  const code = codeOf(submission);
  const known = await client.artifacts(editId, playArtifactType(submission));
  const same = known.find(({ versionCode }) => versionCode === code);
  if (submission.action === 'promote') {
    if (same === undefined) throw nothingToPromote(submission.versionCode);
    if (same.sha256 === null) return true;
  }
  // Without a hash, the upload shows whether it is the same file.
  if (same === undefined || same.sha256 === null) return false;
  if (same.sha256 !== submission.sha256) throw otherFile(submission.versionCode);
  return true;
}

function otherFile(versionCode: string): StoreRefusal {
  return refused(
    'version_code_used',
    `Google Play has another file with the version code ${versionCode}. Raise versionCode, build again and submit that build; a retry does not help.`,
  );
}

function nothingToPromote(versionCode: string): StoreRefusal {
  return refused(
    'version_code_unknown',
    `Google Play does not have the version code ${versionCode}, so there is nothing to promote. Raise versionCode, build again and submit that build; a retry does not help.`,
  );
}

/** @param ahead the release of the version that users have */
function takesFromUsers(
  { releaseStatus, userFraction }: Pick<Submission, 'releaseStatus' | 'userFraction'>,
  ahead: Pick<PlayRelease, 'userFraction'>,
): StoreRefusal {
  if (releaseStatus !== 'completed') {
    return refused(
      'release_ahead',
      'Users of the track have this version already, so a draft would take it from them. To stop its rollout, set the share of its deployment to 0; a retry does not help.',
    );
  }
  const share = ahead.userFraction ?? 1;
  return refused(
    'release_ahead',
    `The track has this version at ${inPercent(share)}, and a share only grows, so ${inPercent(userFraction)} is too low. Submit with rolloutPercentage ${share} or more, or change the share of its deployment.`,
  );
}

function trackMissing(track: string, known: readonly string[]): StoreRefusal {
  const near = nearMiss(track, known);
  const names = known.slice(0, 8).join(', ').slice(0, 100);
  const instead = near === null ? `. It has ${names === '' ? 'none' : names}` : `: ${near}`;
  return refused(
    'track_not_found',
    `The app has no track "${track.slice(0, near === null ? 60 : 45)}" in Google Play${instead}. Correct googlePlayTrack of the destination, or create the track in the Play Console; then submit again.`,
    { retry: 'after-action' },
  );
}
