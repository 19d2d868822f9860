import type { androidpublisher_v3 } from '@googleapis/androidpublisher';
import { forbidden, GoogleError, invalid, notFound } from '../google-error.ts';
import { type Edit, type Release, STATUSES } from './play-state.ts';

const MAX_NOTES = 500;
/** BCP 47, as the languages of listings. */
const LANGUAGE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;
const FIELDS = [
  'status',
  'versionCodes',
  'name',
  'userFraction',
  'inAppUpdatePriority',
  'releaseNotes',
  'countryTargeting',
];

/**
 * A release of a request. The rules are those of the fields' descriptions:
 * https://developers.google.com/android-publisher/api-ref/rest/v3/edits.tracks#Release
 *
 * @throws GoogleError 400
 */
export function readRelease(value: unknown, at: number): Release {
  const fields = objectOf(value, `track.releases[${at}]`, FIELDS);
  // The compiler compares what is read with the published types.
  const release = fields as androidpublisher_v3.Schema$TrackRelease;
  const { status, versionCodes = [], userFraction, inAppUpdatePriority, releaseNotes = [] } = release;
  const { countryTargeting } = release;
  if (!isStatus(status)) throw invalid(`Invalid value at 'track.releases[${at}].status'`);
  if (!isList(versionCodes) || !versionCodes.every((code) => /^[1-9][0-9]{0,9}$/.test(String(code)))) {
    throw invalid(`Invalid value at 'track.releases[${at}].version_codes'`);
  }
  if (userFraction != null && (typeof userFraction !== 'number' || userFraction <= 0 || userFraction >= 1)) {
    throw invalid('The user fraction of a staged release must be between 0 and 1, both exclusive.');
  }
  const isStaged = status === 'inProgress' || status === 'halted';
  if (userFraction != null && !isStaged) {
    throw invalid(`A release with status ${status} must not have a user fraction.`);
  }
  if (userFraction == null && status === 'inProgress')
    throw invalid('A staged release needs a user fraction.');
  if (inAppUpdatePriority != null && ![0, 1, 2, 3, 4, 5].includes(inAppUpdatePriority)) {
    throw invalid('The in-app update priority must be between 0 and 5.');
  }
  if (!isList(releaseNotes)) throw invalid(`Invalid value at 'track.releases[${at}].release_notes'`);
  for (const note of releaseNotes) readNote(note);
  return {
    status,
    versionCodes: versionCodes.map(String),
    ...(release.name == null ? {} : { name: release.name }),
    ...(userFraction == null ? {} : { userFraction }),
    ...(inAppUpdatePriority == null ? {} : { inAppUpdatePriority }),
    ...(countryTargeting == null ? {} : { countryTargeting }),
    releaseNotes,
  };
}

function readNote(value: unknown): void {
  const fields = objectOf(value, 'track.releases.release_notes', ['language', 'text']);
  const { language, text } = fields as androidpublisher_v3.Schema$LocalizedText;
  if (typeof language !== 'string' || typeof text !== 'string') throw invalid('Invalid release notes.');
  if (!LANGUAGE.test(language)) {
    throw invalid(`Invalid request - The language is not currently supported: ${language}`);
  }
}

/** @throws GoogleError 400 with the words of Google's JSON parser */
export function objectOf(value: unknown, at: string, names: readonly string[]): object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw invalid(`Invalid value at '${at}'`);
  }
  const unknown = Object.keys(value).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    throw invalid(`Invalid JSON payload received. Unknown name "${unknown}" at '${at}': Cannot find field.`);
  }
  return value;
}

/**
 * What validate and commit check of the changed tracks. Fragments and codes: see `refusals.ts`.
 *
 * @throws GoogleError
 */
export function checkEdit(edit: Edit): void {
  const { app } = edit;
  if (app.unfinishedUploads > 0) {
    app.unfinishedUploads -= 1;
    throw invalid('Some of the Android App Bundle uploads are not completed yet.');
  }
  for (const track of edit.changedTracks) {
    if (!app.tracks.has(track)) throw invalid(`Track not found: ${track}`);
    for (const release of edit.tracks.get(track) ?? []) {
      if (!(app.tracks.get(track) ?? []).includes(release)) checkRelease(edit, track, release);
    }
  }
}

function checkRelease(edit: Edit, track: string, release: Release): void {
  const { app } = edit;
  const codes = release.versionCodes.map(Number);
  // Only now, not when the track was updated: https://github.com/googleapis/google-api-python-client/issues/1944
  const missing = codes.filter((code) => !app.artifacts.has(code) && !edit.uploads.has(code));
  if (missing.length > 0)
    throw notFound(`The following version codes could not be found: ${missing.join()}.`);
  if (release.status === 'draft') return;
  if (app.isDraft) throw invalid('Only releases with status draft may be created on draft app.');
  if (codes.length === 0) throw invalid('A release needs at least one version code.');
  if (app.tracksWithoutCountries.has(track)) throw forbidden('Release in track targeting no countries.');
  if (release.countryTargeting !== undefined && release.status === 'completed') {
    throw invalid('Country targeting is only supported for staged releases.');
  }
  const live = (app.tracks.get(track) ?? []).filter(({ status }) => status === 'completed');
  if (release.status === 'inProgress' && live.length === 0) {
    throw invalid('The first release on a track cannot be staged.');
  }
  if (Math.max(...codes) < Math.max(0, ...live.flatMap(({ versionCodes }) => versionCodes.map(Number)))) {
    throw forbidden(
      'You cannot rollout this release because it does not allow any existing users to upgrade to the newly added app bundles.',
    );
  }
  for (const { language, text } of release.releaseNotes ?? []) {
    if ([...(text ?? '')].length > MAX_NOTES) {
      throw forbidden(`The release notes for language ${language} are too long (max: ${MAX_NOTES}).`);
    }
    if (!app.languages.has(language ?? '')) {
      throw forbidden(`The release notes language ${language} is not associated with the app.`);
    }
  }
}

/**
 * What a commit checks beyond that.
 *
 * @throws GoogleError
 */
export function checkReview(edit: Edit, isNotSent: boolean, isErrorInReview: boolean): void {
  const { app } = edit;
  if (app.isInReview && isErrorInReview) throw alreadyInReview(app.packageName);
  if (app.isRejected && !isNotSent) throw invalid(NOT_SENT);
  // https://github.com/Triple-T/gradle-play-publisher/issues/970
  if (!app.isRejected && isNotSent) {
    throw invalid(
      'Changes are sent for review automatically. The query parameter changesNotSentForReview must not be set.',
    );
  }
}

export const NOT_SENT =
  'Changes cannot be sent for review automatically. Please set the query parameter changesNotSentForReview to true. Once committed, the changes in this edit can be sent for review from the Google Play Console UI.';

/** The sample of https://developers.google.com/android-publisher/api-ref/rest/v3/edits/commit */
export function alreadyInReview(packageName: string): GoogleError {
  return new GoogleError(
    400,
    'FAILED_PRECONDITION',
    'You already have changes in review. Cancel this review or wait for it to complete before you try again. See https://developers.google.com/android-publisher/api-ref/rest/v3/applications.tracks.releases',
    {
      details: [
        {
          '@type': 'type.googleapis.com/google.rpc.ErrorInfo',
          reason: 'CHANGES_ALREADY_IN_REVIEW',
          domain: 'googleapis.com',
          metadata: { package_name: packageName },
        },
      ],
    },
  );
}

function isStatus(value: unknown): value is Release['status'] {
  return STATUSES.some((status) => status === value);
}

function isList(value: unknown): value is unknown[] {
  return Array.isArray(value);
}
