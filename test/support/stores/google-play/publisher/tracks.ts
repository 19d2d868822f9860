import type { androidpublisher_v3 } from '@googleapis/androidpublisher';
import { isDeepStrictEqual } from 'node:util';
import { invalid, notFound } from '../google-error.ts';
import { type Edit, highestCode, type PlayApp, type Release } from './play-state.ts';
import { objectOf, readRelease } from './release-rules.ts';

/** Most releases of one response: https://developers.google.com/android-publisher/api-ref/rest/v3/applications.tracks.releases/list */
const MAX_SUMMARIES = 20;

/** `GET …/edits/{id}/tracks`: also those without releases. */
export function listTracks(edit: Edit): androidpublisher_v3.Schema$TracksListResponse {
  const tracks = [...edit.tracks.keys()].map((name) => toTrack(name, edit.tracks.get(name) ?? []));
  return { kind: 'androidpublisher#tracksListResponse', tracks };
}

/** `GET …/edits/{id}/tracks/{track}`. @throws GoogleError 404 */
export function getTrack(edit: Edit, name: string): androidpublisher_v3.Schema$Track {
  const releases = edit.tracks.get(name);
  if (releases === undefined) throw notFound(`Track not found: ${name}`);
  return toTrack(name, releases);
}

/**
 * `PUT …/edits/{id}/tracks/{track}`. It neither knows the track nor the version codes: validate does.
 * https://github.com/googleapis/google-api-python-client/issues/1944
 *
 * @throws GoogleError 400
 */
export function updateTrack(edit: Edit, name: string, body: unknown): androidpublisher_v3.Schema$Track {
  const { track, releases = [] } = objectOf(body, 'track', ['track', 'releases']) as {
    track?: unknown;
    releases?: unknown;
  };
  if (track !== name) throw invalid('The track name in the request body does not match the one in the URL.');
  if (!Array.isArray(releases)) throw invalid("Invalid value at 'track.releases'");
  const current = edit.tracks.get(name) ?? [];
  // What is sent back as it was read is no change.
  const wanted = releases
    .map((release, at) => readRelease(release, at))
    .map((release) => current.find((one) => isSame(one, release)) ?? release);
  checkTogether(current, wanted);
  checkShares(edit.app.tracks.get(name) ?? [], wanted);
  const result = effective(current, wanted);
  edit.tracks.set(name, result);
  edit.changedTracks.add(name);
  return toTrack(name, result);
}

/** `GET applications/{pkg}/tracks/{track}/releases`: without an edit, and without what is obsolete. */
export function listReleases(
  app: PlayApp,
  name: string,
): androidpublisher_v3.Schema$ListReleaseSummariesResponse {
  const releases = app.tracks.get(name);
  if (releases === undefined) throw notFound(`Track not found: ${name}`);
  return {
    releases: releases.slice(0, MAX_SUMMARIES).map((release) => ({
      releaseName: nameOf(release),
      track: name,
      activeArtifacts: release.versionCodes.map((code) => ({ versionCode: Number(code) })),
      releaseLifecycleState: `RELEASE_LIFECYCLE_STATE_${release.lifecycle ?? 'PUBLISHED'}`,
    })),
  };
}

function checkTogether(current: readonly Release[], wanted: readonly Release[]): void {
  const count = (of: readonly Release['status'][]): number =>
    wanted.filter(({ status }) => of.includes(status)).length;
  if (count(['inProgress', 'halted']) > 1) throw invalid('Too many staged releases.');
  if (count(['completed']) > 1) throw invalid('Too many completed releases.');
  for (const release of wanted) {
    const isLive = current.some((one) => one.status === 'completed' && haveSameCodes(one, release));
    if (isLive && release.status === 'inProgress') throw invalid('Fully released can not be staged.');
  }
}

/**
 * "You can increase the percentage of users", and nothing says how to take users back:
 * https://support.google.com/googleplay/android-developer/answer/6346149. The document of the API names no error for a lower
 * share, nor for resuming with one, so this is the stricter choice, in words that are made up.
 */
function checkShares(live: readonly Release[], wanted: readonly Release[]): void {
  for (const release of wanted) {
    const before = live.find((one) => haveSameCodes(one, release));
    const { userFraction = 1 } = release;
    if (release.status !== 'inProgress' && release.status !== 'halted') continue;
    if (before?.userFraction === undefined || userFraction >= before.userFraction) continue;
    throw invalid('The user fraction of a staged release cannot be decreased.');
  }
}

/** Whether two releases have the same content. */
function isSame(one: Release, other: Release): boolean {
  return isDeepStrictEqual(contentOf(one), contentOf(other));
}

function contentOf(release: Release): object {
  const { lifecycle: _, versionCodes, releaseNotes = [], ...rest } = release;
  return { ...rest, name: nameOf(release), versionCodes: versionCodes.toSorted(), releaseNotes };
}

/**
 * What a track has after an update. "A staged release keeps the completed one; a completed one ends a lower staged
 * one": https://developers.google.com/android-publisher/tracks#staged-rollouts. An empty list clears it.
 */
function effective(current: readonly Release[], wanted: readonly Release[]): Release[] {
  if (wanted.length === 0) return [];
  const kept = current.filter((release) => {
    if (wanted.some((other) => haveSameCodes(other, release))) return false;
    if (release.status === 'draft') return !wanted.some(({ status }) => status === 'draft');
    if (release.status === 'completed') return !wanted.some(({ status }) => status === 'completed');
    return !wanted.some((other) => other.status !== 'draft' && endsStaged(other, release));
  });
  return [...wanted, ...kept];
}

function endsStaged(release: Release, staged: Release): boolean {
  return release.status !== 'completed' || highestCode(release) > highestCode(staged);
}

function haveSameCodes(one: Release, other: Release): boolean {
  return [...one.versionCodes].sort().join() === [...other.versionCodes].sort().join();
}

/** "If not set, the name is generated": here from the highest code. */
function nameOf(release: Release): string {
  return release.name ?? String(highestCode(release));
}

function toTrack(name: string, releases: readonly Release[]): androidpublisher_v3.Schema$Track {
  return {
    track: name,
    releases: releases.map((release) => {
      const {
        status,
        versionCodes,
        userFraction,
        inAppUpdatePriority,
        releaseNotes = [],
        countryTargeting,
      } = release;
      return {
        name: nameOf(release),
        status,
        versionCodes: [...versionCodes],
        ...(userFraction === undefined ? {} : { userFraction }),
        ...(inAppUpdatePriority === undefined ? {} : { inAppUpdatePriority }),
        ...(countryTargeting === undefined ? {} : { countryTargeting }),
        releaseNotes: [...releaseNotes],
      };
    }),
  };
}
