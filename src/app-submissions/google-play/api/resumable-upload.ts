import type { StoreResponse } from '../../calls/store-session.js';
import { digestOf, type UploadedArtifact, versionCodeOf } from './google-play-responses.js';
import { type GooglePlayApi, unusable } from './google-play-api.js';
import type { PlayCall } from './play-call.js';
import { type Refusal, StoreRefusal } from '../../calls/refusals/refusal.js';
import { findRefusal } from '../refusals/find-refusal.js';
import { parseJson } from '../../calls/parse-json.js';

/** Parts have a multiple of this; Google drops what is beyond. */
const GRID = 256 * 1024;

/** How many bytes one call sends: few enough for a slow line, and for memory. */
export const UPLOAD_CHUNK_BYTES = 32 * GRID;
/** Milliseconds for one part: 8 MiB over 0.3 Mbit/s. */
const CHUNK_MS = 240_000;

const MAX_ADDRESS = 4096;

/** How far an upload is. */
export type UploadProgress =
  | { readonly done: false; readonly receivedBytes: number }
  /** `artifact: null`: it was a file with symbols. */
  | { readonly done: true; readonly artifact: UploadedArtifact | null };

/**
 * Uploads a file in parts, so that it continues where it was:
 * https://developers.google.com/android-publisher/upload#resumable. The status 308 is no redirect here.
 */
export class ResumableUpload {
  constructor(private readonly api: GooglePlayApi) {}

  /**
   * Announces a file.
   *
   * @returns the address for its bytes
   * @throws StoreRefusal @throws StoreUnreachableError
   */
  async start(
    call: PlayCall,
    path: readonly string[],
    size: number,
    query: Readonly<Record<string, string>>,
  ): Promise<string> {
    const { status, headers, text } = await this.api.send({
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
    const address = headers.location ?? '';
    const url = address.length > MAX_ADDRESS || address === '' ? null : this.api.resolve(address);
    if (url === null) throw unusable(status, text);
    if (!this.api.mayCall(url)) throw new StoreRefusal(ADDRESS_REFUSED, status, null);
    return url.href;
  }

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async ask(sessionUrl: string, size: number): Promise<UploadProgress> {
    const headers = { 'content-range': `bytes */${size}`, 'content-length': '0' };
    return this.progressOf(await this.api.sendTo(sessionUrl, { headers }), size);
  }

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async put(sessionUrl: string, offset: number, bytes: Uint8Array, size: number): Promise<UploadProgress> {
    const end = offset + bytes.length;
    if (bytes.length === 0 || end > size || (end < size && bytes.length % GRID !== 0)) {
      throw new Error(`A part of ${bytes.length} bytes at ${offset} of ${size} is off the grid.`);
    }
    const headers = {
      'content-type': 'application/octet-stream',
      'content-length': String(bytes.length),
      'content-range': `bytes ${offset}-${end - 1}/${size}`,
    };
    const response = await this.api.sendTo(sessionUrl, { headers, body: bytes, timeoutMs: CHUNK_MS });
    return this.progressOf(response, size);
  }

  private progressOf(response: StoreResponse, size: number): UploadProgress {
    const { status, headers, text } = response;
    if (status === 308) {
      const receivedBytes = receivedOf(headers.range);
      if (receivedBytes === null || receivedBytes > size) throw unusable(status, text);
      return { done: false, receivedBytes };
    }
    if (status === 200 || status === 201) return { done: true, artifact: artifactOf(status, text) };
    const refusal = findRefusal('upload', response);
    // Google forgets an upload after a week, or with its edit.
    const isLost = (status === 404 || status === 410) && refusal.refusal.code === 'store_refused';
    throw isLost ? new StoreRefusal(UPLOAD_LOST, status, refusal.storeMessage) : refusal;
  }
}

/** The bytes that `Range` confirms, from the first one on; none without it; `null`: it says something else. */
function receivedOf(range: string | string[] | undefined): number | null {
  if (range === undefined) return 0;
  const [, last] = /^bytes=0-(\d{1,15})$/.exec(String(range).trim()) ?? [];
  return last === undefined ? null : Number(last) + 1;
}

/** What an upload has become. A file with symbols has no version code itself. */
function artifactOf(status: number, text: string): UploadedArtifact | null {
  const answer = parseJson(text);
  const versionCode = answer === null ? null : versionCodeOf(answer.get('versionCode'));
  if (answer === null || (versionCode === null && !answer.get('deobfuscationFile').isObject)) {
    throw unusable(status, text);
  }
  if (versionCode === null) return null;
  // A bundle has its digests beside the version code, an APK in `binary`.
  const digests = answer.get('binary').isObject ? answer.get('binary') : answer;
  const [sha1, sha256] = [digestOf(digests.get('sha1'), 40), digestOf(digests.get('sha256'), 64)];
  return { versionCode, sha1, sha256 };
}

const ADDRESS_REFUSED: Refusal = {
  code: 'upload_address_refused',
  sentence:
    'Google Play named an address for the upload that Slipway does not call: it is neither https nor the configured address. Ask the operator of this server to check GOOGLE_PLAY_URL and the network; a retry rarely helps.',
  retry: 'again',
  does: 'new-upload',
  afterSeconds: 5,
};

const UPLOAD_LOST: Refusal = {
  code: 'upload_lost',
  sentence:
    'Google Play does not know the upload any more. Slipway begins it again; after too many attempts, submit again.',
  retry: 'again',
  does: 'new-upload',
};
