import { Readable } from 'node:stream';
import { StoreRefusal } from '../../calls/refusals/refusal.js';
import type { StoreSession } from '../../calls/store-session.js';
import { partRefusal, UPLOAD_EXPIRED } from '../refusals/part-refusals.js';
import type { UploadOperation } from './upload-operation.js';

export type { UploadOperation } from './upload-operation.js';

/** Bytes that are in memory at once for a part that is sent in chunks. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** What an upload server says is short. */
const MAX_BYTES = 64 * 1024;

/** Milliseconds for one part: a line of 0.3 Mbit/s, or of 2 Mbit/s when the part is large; an hour at most. */
const MIN_PART_MS = 240_000;
const MAX_PART_MS = 3_600_000;
const SLOWEST_BYTES_PER_MS = 256;

/**
 * Uploads one part: with the method, the address and the headers of the operation, and without the token.
 *
 * @param bytes of the part: all at once, or one chunk after the other
 * @throws StoreRefusal `new-upload` when the address is used up; as it is when its server fails
 * @throws StoreUnreachableError
 */
export async function sendOperation(
  session: StoreSession,
  { method, url, length, requestHeaders, expiration }: UploadOperation,
  bytes: Uint8Array | AsyncIterable<Uint8Array>,
): Promise<void> {
  if (expiration !== null && expiration.getTime() <= Date.now()) {
    throw new StoreRefusal(UPLOAD_EXPIRED, 0, null);
  }
  const response = await session.call({
    method,
    url,
    headers: {
      ...Object.fromEntries(requestHeaders.map(({ name, value }) => [name, value])),
      'content-length': String(length),
    },
    body: bytes instanceof Uint8Array ? exactly(bytes, length) : Readable.from(counted(bytes, length)),
    maxBytes: MAX_BYTES,
    timeoutMs: Math.min(MAX_PART_MS, Math.max(MIN_PART_MS, Math.ceil(length / SLOWEST_BYTES_PER_MS))),
    isSecretAddress: true,
  });
  if (response.status < 200 || response.status > 299) throw partRefusal(response);
}

/**
 * The bytes of a part, for `sendOperation`: parts can be larger than memory.
 *
 * @param read bytes of the file
 */
export async function* chunksOf(
  read: (start: number, length: number) => Promise<Uint8Array>,
  { offset, length }: UploadOperation,
): AsyncGenerator<Uint8Array> {
  for (let sent = 0; sent < length; sent += CHUNK_BYTES) {
    yield await read(offset + sent, Math.min(CHUNK_BYTES, length - sent));
  }
}

/** The operations as a text, to seal. */
export function operationsToText(operations: readonly UploadOperation[]): string {
  return JSON.stringify(operations);
}

/** The operations of `operationsToText`. */
export function operationsFromText(text: string): UploadOperation[] {
  type Stored = Omit<UploadOperation, 'expiration'> & { readonly expiration: string | null };
  return (JSON.parse(text) as Stored[]).map(({ expiration, ...operation }) => ({
    ...operation,
    expiration: expiration === null ? null : new Date(expiration),
  }));
}

function exactly(bytes: Uint8Array, length: number): Uint8Array {
  if (bytes.length !== length) throw new Error(`A part of ${length} bytes has ${bytes.length}.`);
  return bytes;
}

/** A body with another length would leave the server waiting. */
async function* counted(chunks: AsyncIterable<Uint8Array>, length: number): AsyncGenerator<Uint8Array> {
  let sent = 0;
  for await (const chunk of chunks) {
    sent += chunk.length;
    if (sent > length) break;
    yield chunk;
  }
  if (sent !== length) throw new Error(`A part of ${length} bytes has ${sent}.`);
}
