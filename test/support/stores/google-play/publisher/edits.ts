import type { androidpublisher_v3 } from '@googleapis/androidpublisher';
import { GoogleError, invalid } from '../google-error.ts';
import type { Artifact, Edit, Lifecycle, PlayState, Release } from './play-state.ts';
import { checkEdit, checkReview, NOT_SENT } from './release-rules.ts';
import type { ServiceAccount } from '../service-accounts.ts';

/** https://developers.google.com/android-publisher/api-ref/rest/v3/edits/commit#ChangesInReviewBehaviorType */
const BEHAVIORS = [
  'CHANGES_IN_REVIEW_BEHAVIOR_TYPE_UNSPECIFIED',
  'CANCEL_IN_REVIEW_AND_SUBMIT',
  'ERROR_IF_IN_REVIEW',
];

/** An edit as responses have it. */
export function toAppEdit({ id, expiresAt }: Edit): androidpublisher_v3.Schema$AppEdit {
  return { id, expiryTimeSeconds: String(Math.floor(expiresAt / 1000)) };
}

/** `GET …/edits/{id}/details`. */
export function detailsOf({ app }: Edit): androidpublisher_v3.Schema$AppDetails {
  return { defaultLanguage: app.defaultLanguage, contactEmail: 'hello@example.com' };
}

/** `GET …/edits/{id}/listings`. */
export function listingsOf({ app }: Edit): androidpublisher_v3.Schema$ListingsListResponse {
  const listings = [...app.languages].map((language) => ({ language, title: app.packageName }));
  return { kind: 'androidpublisher#listingsListResponse', listings };
}

/** `GET …/edits/{id}/bundles`: of the app and of the edit. */
export function bundlesOf(edit: Edit): androidpublisher_v3.Schema$BundlesListResponse {
  const bundles = artifactsOf(edit, 'aab').map(({ versionCode, sha1, sha256 }) => ({
    versionCode,
    sha1,
    sha256,
  }));
  return { kind: 'androidpublisher#bundlesListResponse', bundles };
}

/** `GET …/edits/{id}/apks`. */
export function apksOf(edit: Edit): androidpublisher_v3.Schema$ApksListResponse {
  const apks = artifactsOf(edit, 'apk').map(toApk);
  return { kind: 'androidpublisher#apksListResponse', apks };
}

/** An apk as responses have it. */
export function toApk({ versionCode, sha1, sha256 }: Artifact): androidpublisher_v3.Schema$Apk {
  return { versionCode, binary: { sha1, sha256 } };
}

function artifactsOf({ app, uploads }: Edit, kind: Artifact['kind']): Artifact[] {
  const all = new Map([...app.artifacts, ...uploads]);
  return [...all.values()].filter((artifact) => artifact.kind === kind);
}

/**
 * `POST …/edits/{id}:validate`. It has no parameter `changesNotSentForReview`, and refuses what needs it.
 *
 * @throws GoogleError
 */
export function validate(edit: Edit): androidpublisher_v3.Schema$AppEdit {
  checkEdit(edit);
  if (edit.app.isRejected) throw invalid(NOT_SENT);
  return toAppEdit(edit);
}

/**
 * `POST …/edits/{id}:commit`. A refused commit leaves the edit as it was:
 * https://developers.google.com/android-publisher/api-ref/rest/v3/edits/commit
 *
 * @throws GoogleError
 */
export function commit(
  state: PlayState,
  edit: Edit,
  query: URLSearchParams,
  account: ServiceAccount,
): androidpublisher_v3.Schema$AppEdit {
  const isNotSent = booleanOf(query, 'changesNotSentForReview');
  const behavior = query.get('changesInReviewBehavior');
  if (behavior !== null && !BEHAVIORS.includes(behavior)) {
    throw invalid(`Invalid value at 'changes_in_review_behavior', "${behavior}"`);
  }
  checkEdit(edit);
  checkRights(edit, account);
  checkReview(edit, isNotSent, behavior === 'ERROR_IF_IN_REVIEW');
  const { app } = edit;
  for (const [code, artifact] of edit.uploads) app.artifacts.set(code, artifact);
  for (const [code, types] of edit.symbols) {
    app.symbols.set(code, new Set([...(app.symbols.get(code) ?? []), ...types]));
  }
  // "Committing an edit will send all changes for review", also those that wait in the Play Console.
  const reviewed = [...app.tracks.values()]
    .flat()
    .filter(({ lifecycle }) => lifecycle === 'NOT_SENT_FOR_REVIEW');
  if (!isNotSent) for (const release of reviewed) release.lifecycle = sentLifecycle(edit);
  for (const track of edit.changedTracks) applyTrack(state, edit, track, isNotSent);
  state.logTracks(app);
  edit.state = 'committed';
  state.invalidateEdits(app, edit);
  return toAppEdit(edit);
}

function applyTrack(state: PlayState, edit: Edit, track: string, isNotSent: boolean): void {
  const { app } = edit;
  const before = app.tracks.get(track) ?? [];
  const after = edit.tracks.get(track) ?? [];
  for (const release of after.filter((one) => !before.includes(one))) {
    release.lifecycle = lifecycleOf(edit, track, release, isNotSent, before);
    const symbols = release.versionCodes.flatMap((code) => [...(app.symbols.get(Number(code)) ?? [])]);
    const { packageName } = app;
    const made = { editId: edit.id, account: edit.account, packageName, track, release: { ...release } };
    state.committed.push({ ...made, changesNotSentForReview: isNotSent, symbols });
    if (release.lifecycle === 'IN_REVIEW') app.isInReview = true;
  }
  app.tracks.set(track, after);
}

function lifecycleOf(
  edit: Edit,
  track: string,
  release: Release,
  isNotSent: boolean,
  before: readonly Release[],
): Lifecycle {
  if (release.status === 'draft') return 'DRAFT';
  // Another share needs no other review: https://support.google.com/googleplay/android-developer/answer/6346149
  const isPublished = before.some(
    (one) => one.lifecycle === 'PUBLISHED' && one.versionCodes.join() === release.versionCodes.join(),
  );
  if (isPublished) return 'PUBLISHED';
  if (isNotSent) return 'NOT_SENT_FOR_REVIEW';
  // Internal testing needs no review: https://support.google.com/googleplay/android-developer/answer/9845334
  return track === 'internal' ? 'PUBLISHED' : sentLifecycle(edit);
}

function sentLifecycle({ app }: Edit): Lifecycle {
  return app.hasReviews ? 'IN_REVIEW' : 'PUBLISHED';
}

/** A missing right on production has answered so: https://github.com/Triple-T/gradle-play-publisher/issues/758 */
function checkRights(edit: Edit, account: ServiceAccount): void {
  const rights = account.rights.get(edit.app.packageName);
  for (const track of edit.changedTracks) {
    const needed = track.endsWith('production') ? 'production' : 'testing';
    if (rights?.has(needed) !== true) throw new GoogleError(500, 'INTERNAL', null);
  }
}

function booleanOf(query: URLSearchParams, name: string): boolean {
  const value = query.get(name);
  if (value !== null && value !== 'true' && value !== 'false') {
    throw invalid(`Invalid value at '${name}', "${value}"`);
  }
  return value === 'true';
}
