import type { androidpublisher_v3 as api } from '@googleapis/androidpublisher';
import type { StoreSession } from '../../calls/store-session.js';
import {
  digestOf,
  type NewPlayRelease,
  type PlayArtifact,
  type PlayEdit,
  type ReleaseSummary,
  toPlayRelease,
  toReleaseSummary,
  type TrackReleases,
  versionCodeOf,
} from './google-play-responses.js';
import { parseJson } from '../../calls/parse-json.js';
import { type PlayJson, playJsonOf, GooglePlayApi, listOf, unusable } from './google-play-api.js';
import type { WholeRelease } from '../track-releases/rollout-of.js';
import { ResumableUpload, type UploadProgress } from './resumable-upload.js';

/** Google unpacks and checks what is committed before it answers, in milliseconds. */
const COMMIT_MS = 300_000;

/**
 * The calls of the Publisher API for one app. Each throws `StoreRefusal` when Google Play refuses it or answers with
 * something else than its API documents, and `StoreUnreachableError` when there is no answer.
 */
export class GooglePlayClient {
  private readonly api: GooglePlayApi;
  private readonly uploads: ResumableUpload;

  /**
   * @param baseUrl see `StoreConfig.googlePlayUrl`
   * @param token from `GoogleTokens`
   */
  constructor(session: StoreSession, baseUrl: string, token: string, packageName: string) {
    this.api = new GooglePlayApi(session, { baseUrl, token, packageName });
    this.uploads = new ResumableUpload(this.api);
  }

  /** Begins an edit. Two calls within seconds may return the same one. */
  async insertEdit(): Promise<PlayEdit> {
    const request = { call: 'insert', method: 'POST', path: ['edits'], body: {} } as const;
    const answer = await this.api.json<api.Schema$AppEdit>(request);
    const id = answer.get('id').text ?? '';
    if (!/^[\w-]{1,100}$/.test(id)) throw unusable(200, '');
    const seconds = Number(answer.get('expiryTimeSeconds').text ?? Number.NaN);
    return { id, expiresAt: seconds > 0 && seconds < 1e11 ? new Date(seconds * 1000) : null };
  }

  async deleteEdit(id: string): Promise<void> {
    await this.api.send({ call: 'delete', method: 'DELETE', path: ['edits', id] });
  }

  /** What the listing of the app says. @returns `defaultLanguage: null` when it has none */
  async details(id: string): Promise<{ defaultLanguage: string | null }> {
    const answer = await this.read<api.Schema$AppDetails>('edits', id, 'details');
    return { defaultLanguage: answer.get('defaultLanguage').exactText };
  }

  /** The languages of the store listing. */
  async listingLanguages(id: string): Promise<string[]> {
    const answer = await this.read<api.Schema$ListingsListResponse>('edits', id, 'listings');
    return listOf(answer.get('listings')).flatMap((listing) => listing.get('language').exactText ?? []);
  }

  /** The files of the app that the edit can use. */
  async artifacts(id: string, type: 'aab' | 'apk'): Promise<PlayArtifact[]> {
    if (type === 'aab') {
      const answer = await this.read<api.Schema$BundlesListResponse>('edits', id, 'bundles');
      return listOf(answer.get('bundles')).flatMap((bundle) => toPlayArtifact(bundle, bundle));
    }
    const answer = await this.read<api.Schema$ApksListResponse>('edits', id, 'apks');
    return listOf(answer.get('apks')).flatMap((apk) => toPlayArtifact(apk, apk.get('binary')));
  }

  /** The names of all tracks, also of those without releases. */
  async tracks(id: string): Promise<string[]> {
    const answer = await this.read<api.Schema$TracksListResponse>('edits', id, 'tracks');
    const names = listOf(answer.get('tracks')).flatMap((track) => track.get('track').exactText ?? []);
    // Every app has some.
    if (names.length === 0) throw unusable(200, '');
    return names;
  }

  /** All tracks as the edit has them, with their releases. */
  async allTracks(id: string): Promise<TrackReleases[]> {
    const answer = await this.read<api.Schema$TracksListResponse>('edits', id, 'tracks');
    return listOf(answer.get('tracks')).map((track) => ({
      track: track.get('track').exactText ?? '',
      releases: listOf(track.get('releases')).map(toPlayRelease),
    }));
  }

  /** A track as the edit has it. */
  async track(id: string, name: string): Promise<TrackReleases> {
    const answer = await this.read<api.Schema$Track>('edits', id, 'tracks', name);
    return { track: name, releases: listOf(answer.get('releases')).map(toPlayRelease) };
  }

  /** A track as the edit has it, with all that Google Play says about its releases. */
  async wholeTrack(id: string, name: string): Promise<WholeRelease[]> {
    const path = ['edits', id, 'tracks', name];
    const { status, text } = await this.api.send({ call: 'read', method: 'GET', path });
    const answer = parseJson(text);
    if (answer?.isObject !== true) throw unusable(status, text);
    const known = listOf(playJsonOf<api.Schema$Track>(answer).get('releases')).map(toPlayRelease);
    const { releases = [] } = JSON.parse(text) as { releases?: Record<string, unknown>[] };
    return known.map((release, at) => ({ ...release, document: releases[at] ?? {} }));
  }

  /** The latest releases of a track, at most 20. Needs no edit, so it disturbs none. */
  async releases(track: string): Promise<ReleaseSummary[]> {
    const path = ['tracks', track, 'releases'];
    const answer = await this.api.json<api.Schema$ListReleaseSummariesResponse>({
      call: 'releases',
      method: 'GET',
      path,
    });
    return listOf(answer.get('releases')).map(toReleaseSummary);
  }

  /**
   * Begins the upload of an app.
   *
   * @param size in bytes
   * @param options.acknowledgesSizeWarning after the refusal `artifact_size_warning`
   * @returns the address for its bytes, which gives access: keep it sealed
   */
  startUpload(
    id: string,
    kind: 'aab' | 'apk',
    size: number,
    { acknowledgesSizeWarning = false }: { acknowledgesSizeWarning?: boolean } = {},
  ): Promise<string> {
    const query: Record<string, string> = acknowledgesSizeWarning
      ? { ackBundleInstallationWarning: 'true' }
      : {};
    return this.uploads.start('upload', ['edits', id, nameOf(kind)], size, query);
  }

  /** Begins the upload of a file with symbols for an uploaded app. @returns as `startUpload` */
  startSymbolUpload(
    id: string,
    versionCode: number,
    kind: 'proguard' | 'nativeCode',
    size: number,
  ): Promise<string> {
    const path = ['edits', id, 'apks', String(versionCode), 'deobfuscationFiles', kind];
    return this.uploads.start('symbols', path, size, {});
  }

  /** Asks how much of an upload has arrived, or what came of it. Ask after each failure, before the next part. */
  uploadedBytes(sessionUrl: string, size: number): Promise<UploadProgress> {
    return this.uploads.ask(sessionUrl, size);
  }

  /**
   * Sends the next part of a file.
   *
   * @param offset where it begins: `receivedBytes` of the answer before
   * @param bytes a multiple of 256 KiB, see `UPLOAD_CHUNK_BYTES`; only the last part may be of another length
   * @param size of the whole file
   */
  putChunk(sessionUrl: string, offset: number, bytes: Uint8Array, size: number): Promise<UploadProgress> {
    return this.uploads.put(sessionUrl, offset, bytes, size);
  }

  /** Replaces what the edit has on a track by one release. Google Play keeps what continues beside it. */
  updateTrack(id: string, name: string, release: NewPlayRelease): Promise<void> {
    const { versionCodes, releaseNotes, ...others } = release;
    const document: api.Schema$TrackRelease = {
      ...others,
      versionCodes: versionCodes.map(String),
      ...(releaseNotes !== undefined && { releaseNotes: [...releaseNotes] }),
    };
    return this.replaceTrack(id, name, [document]);
  }

  /** Replaces what the edit has on a track. @param releases as `wholeTrack` gives them, with changes */
  async replaceTrack(id: string, name: string, releases: readonly object[]): Promise<void> {
    const body = { track: name, releases };
    await this.api.json({ call: 'track', method: 'PUT', path: ['edits', id, 'tracks', name], body });
  }

  /** Checks the edit as a commit would. */
  async validate(id: string): Promise<void> {
    await this.api.json({
      call: 'validate',
      method: 'POST',
      path: ['edits', `${id}:validate`],
      timeoutMs: COMMIT_MS,
    });
  }

  /**
   * Publishes what the edit has, with all that waits in the Play Console.
   *
   * @param options.cancelsReview cancels the review of earlier changes; otherwise a running review refuses the commit
   * @param options.changesNotSentForReview a person sends the changes for review in the Play Console
   */
  async commit(
    id: string,
    { cancelsReview, changesNotSentForReview }: { cancelsReview: boolean; changesNotSentForReview?: boolean },
  ): Promise<void> {
    await this.api.json({
      call: 'commit',
      method: 'POST',
      path: ['edits', `${id}:commit`],
      query: {
        changesInReviewBehavior: cancelsReview ? 'CANCEL_IN_REVIEW_AND_SUBMIT' : 'ERROR_IF_IN_REVIEW',
        ...(changesNotSentForReview === true && { changesNotSentForReview: 'true' }),
      },
      timeoutMs: COMMIT_MS,
    });
  }

  private read<T>(...path: string[]): Promise<PlayJson<T>> {
    return this.api.json<T>({ call: 'read', method: 'GET', path });
  }
}

/** @param digests of the file @returns none when Google names no version code */
function toPlayArtifact(
  file: PlayJson<{ versionCode?: number | null }>,
  digests: PlayJson<{ sha256?: string | null }>,
): PlayArtifact[] {
  const versionCode = versionCodeOf(file.get('versionCode'));
  return versionCode === null ? [] : [{ versionCode, sha256: digestOf(digests.get('sha256'), 64) }];
}

function nameOf(type: 'aab' | 'apk'): 'bundles' | 'apks' {
  return type === 'aab' ? 'bundles' : 'apks';
}
