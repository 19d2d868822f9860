import type { androidpublisher_v3 as api } from '@googleapis/androidpublisher';
import { refused } from '../../calls/refusals/refusal.js';
import type { StoreCallRequest, StoreResponse, StoreSession } from '../../calls/store-session.js';
import { findRefusal, type PlayCall } from '../refusals/find-refusal.js';
import {
  jsonOf,
  listOf,
  type NewPlayRelease,
  type PlayArtifact,
  type PlayEdit,
  type PlayJson,
  type ReleaseSummary,
  toPlayApk,
  toPlayBundle,
  toPlayEdit,
  toPlayRelease,
  toReleaseSummary,
  toUploadProgress,
  type TrackReleases,
  unusable,
  type UploadProgress,
  type WholeRelease,
} from './google-play-responses.js';

/** Google unpacks and checks what is committed before it answers, in milliseconds. */
const COMMIT_MS = 300_000;

/** Parts of an upload have a multiple of this; Google drops what is beyond. */
const GRID = 256 * 1024;
/** How many bytes one call sends: few enough for a slow line, and for memory. */
export const UPLOAD_CHUNK_BYTES = 32 * GRID;
/** Milliseconds for one part: 8 MiB over 0.3 Mbit/s. */
const CHUNK_MS = 240_000;
const MAX_ADDRESS = 4096;

/** A request to the Publisher API. */
interface PlayRequest extends Pick<StoreCallRequest, 'method' | 'headers' | 'timeoutMs'> {
  /** What the call is for, which decides about the sentence of a refusal. */
  readonly call: PlayCall;
  /** Before the path of the app. @default `/androidpublisher` */
  readonly service?: '/upload/androidpublisher' | '/androidpublisher';
  /** Behind the path of the app, such as `['edits', id]`. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  /** Sent as JSON. */
  readonly body?: object;
}

/**
 * The calls of the Publisher API for one app. Each throws `StoreRefusal` when Google Play refuses it or answers with
 * something else than its API documents, and `StoreUnreachableError` when there is no answer.
 */
export class GooglePlayClient {
  private readonly base: URL;

  /**
   * @param baseUrl see `StoreConfig.googlePlayUrl`
   * @param token from `GoogleTokens`
   */
  constructor(
    private readonly session: StoreSession,
    baseUrl: string,
    private readonly token: string,
    private readonly packageName: string,
  ) {
    this.base = new URL(baseUrl);
  }

  /** Begins an edit. Two calls within seconds may return the same one. */
  async insertEdit(): Promise<PlayEdit> {
    const request = { call: 'insert', method: 'POST', path: ['edits'], body: {} } as const;
    return toPlayEdit(await this.json<api.Schema$AppEdit>(request));
  }

  async deleteEdit(id: string): Promise<void> {
    await this.send({ call: 'delete', method: 'DELETE', path: ['edits', id] });
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
      return listOf(answer.get('bundles')).flatMap(toPlayBundle);
    }
    const answer = await this.read<api.Schema$ApksListResponse>('edits', id, 'apks');
    return listOf(answer.get('apks')).flatMap(toPlayApk);
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
    const response = await this.send({ call: 'read', method: 'GET', path: ['edits', id, 'tracks', name] });
    const known = listOf(jsonOf<api.Schema$Track>(response).get('releases')).map(toPlayRelease);
    const { releases = [] } = JSON.parse(response.text) as { releases?: Record<string, unknown>[] };
    return known.map((release, at) => ({ ...release, document: releases[at] ?? {} }));
  }

  /** The latest releases of a track, at most 20. Needs no edit, so it disturbs none. */
  async releases(track: string): Promise<ReleaseSummary[]> {
    const path = ['tracks', track, 'releases'];
    const answer = await this.json<api.Schema$ListReleaseSummariesResponse>({
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
    type: 'aab' | 'apk',
    size: number,
    { acknowledgesSizeWarning = false }: { acknowledgesSizeWarning?: boolean } = {},
  ): Promise<string> {
    const query: Record<string, string> = acknowledgesSizeWarning
      ? { ackBundleInstallationWarning: 'true' }
      : {};
    return this.announce('upload', ['edits', id, type === 'aab' ? 'bundles' : 'apks'], size, query);
  }

  /** Begins the upload of a file with symbols for an uploaded app. @returns as `startUpload` */
  startSymbolUpload(
    id: string,
    versionCode: number,
    type: 'proguard' | 'nativeCode',
    size: number,
  ): Promise<string> {
    const path = ['edits', id, 'apks', String(versionCode), 'deobfuscationFiles', type];
    return this.announce('symbols', path, size, {});
  }

  /** Asks how much of an upload has arrived, or what came of it. Ask after each failure, before the next part. */
  async uploadedBytes(address: string, size: number): Promise<UploadProgress> {
    const headers = { 'content-range': `bytes */${size}`, 'content-length': '0' };
    return toUploadProgress(await this.put(address, { headers }), size);
  }

  /**
   * Sends the next part of a file.
   *
   * @param offset where it begins: `receivedBytes` of the answer before
   * @param bytes a multiple of 256 KiB, see `UPLOAD_CHUNK_BYTES`; only the last part may be of another length
   * @param size of the whole file
   */
  async putChunk(address: string, offset: number, bytes: Uint8Array, size: number): Promise<UploadProgress> {
    const end = offset + bytes.length;
    if (bytes.length === 0 || end > size || (end < size && bytes.length % GRID !== 0)) {
      throw new Error(`A part of ${bytes.length} bytes at ${offset} of ${size} is off the grid.`);
    }
    const headers = {
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
      'content-range': `bytes ${offset}-${end - 1}/${size}`,
    };
    return toUploadProgress(await this.put(address, { headers, body: bytes, timeoutMs: CHUNK_MS }), size);
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
    await this.json({ call: 'track', method: 'PUT', path: ['edits', id, 'tracks', name], body });
  }

  /** Checks the edit as a commit would. */
  async validate(id: string): Promise<void> {
    const path = ['edits', `${id}:validate`];
    await this.json({ call: 'validate', method: 'POST', path, timeoutMs: COMMIT_MS });
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
    await this.json({
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
    return this.json<T>({ call: 'read', method: 'GET', path });
  }

  /** Sends a request and reads the JSON of the answer. */
  private async json<T>(request: PlayRequest): Promise<PlayJson<T>> {
    return jsonOf<T>(await this.send(request));
  }

  /** Sends a request. @returns a response with a 2xx */
  private async send({ call, headers, body, ...request }: PlayRequest): Promise<StoreResponse> {
    const { method, timeoutMs } = request;
    const response = await this.session.call({
      method,
      url: this.urlOf(request),
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(timeoutMs !== undefined && { timeoutMs }),
      bearer: this.token,
    });
    if (response.status < 200 || response.status > 299) throw findRefusal(call, response);
    return response;
  }

  /** Announces a file, which is sent in parts: https://developers.google.com/android-publisher/upload#resumable. */
  private async announce(
    call: PlayCall,
    path: readonly string[],
    size: number,
    query: Readonly<Record<string, string>>,
  ): Promise<string> {
    const { status, headers, text } = await this.send({
      call,
      method: 'POST',
      service: '/upload/androidpublisher',
      path,
      query: { uploadType: 'resumable', ...query },
      headers: {
        'x-upload-content-type': 'application/octet-stream',
        'x-upload-content-length': String(size),
      },
    });
    const { location = '' } = headers;
    if (location === '' || location.length > MAX_ADDRESS || !URL.canParse(location, this.base.href))
      throw unusable(status, text);
    const url = new URL(location, this.base);
    if (!this.mayCall(url)) throw addressRefused();
    return url.href;
  }

  /** Sends a request to the address of an upload. @returns a response of any status */
  private put(
    url: string,
    request: Pick<StoreCallRequest, 'headers' | 'body' | 'timeoutMs'>,
  ): Promise<StoreResponse> {
    return this.session.call({ ...request, method: 'PUT', url, bearer: this.token, isSecretAddress: true });
  }

  /** Whether an address of an answer may be called: with https, or at the configured base URL. The guard checks the rest. */
  private mayCall({ username, password, protocol, origin }: URL): boolean {
    return username === '' && password === '' && (protocol === 'https:' || origin === this.base.origin);
  }

  private urlOf({
    service = '/androidpublisher',
    path,
    query = {},
  }: Pick<PlayRequest, 'service' | 'path' | 'query'>): URL {
    const parts = [this.packageName, ...path].map(segment).join('/');
    const prefix = this.base.pathname.replace(/\/+$/, '');
    const url = new URL(`${this.base.origin}${prefix}${service}/v3/applications/${parts}`);
    url.search = new URLSearchParams(query).toString();
    return url;
  }
}

/** A segment of a path. A dot segment would lead to another path, even encoded. */
function segment(text: string): string {
  if (text === '' || text === '.' || text === '..') {
    throw refused(
      'store_name_invalid',
      `Google Play cannot have the name "${text}". Check the package name and the track of the destination; a retry does not help.`,
    );
  }
  // `edits/{id}:validate` is one segment.
  return encodeURIComponent(text).replace(/%3A/g, ':');
}

function addressRefused(): Error {
  return refused(
    'upload_address_refused',
    'Google Play named an address for the upload that Slipway does not call: it is neither https nor the configured address. Ask the operator of this server to check GOOGLE_PLAY_URL and the network; a retry rarely helps.',
    { retry: 'again', does: 'new-upload', afterSeconds: 5 },
  );
}
