import { Readable } from 'node:stream';
import type { JsonValue } from '../../../common/json-value.js';
import { type Refusal, StoreRefusal } from '../../calls/refusals/refusal.js';
import type { StoreSession } from '../../calls/store-session.js';
import { unusable } from '../refusals/apple-error.js';
import { partRefusal, UPLOAD_EXPIRED } from '../refusals/find-refusal.js';

/** How one part of the file is uploaded: exactly as Apple says. */
export interface UploadOperation {
  readonly method: 'PUT' | 'POST';
  /** Gives access: keep it sealed. */
  readonly url: string;
  /** Where the part begins, in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly partNumber: number;
  readonly requestHeaders: readonly OperationHeader[];
  /** `null`: Apple does not say. */
  readonly expiration: Date | null;
}

/** A header that an operation names. */
export interface OperationHeader {
  readonly name: string;
  readonly value: string;
}

/** Bytes that are in memory at once for a part that is sent in chunks. */
const CHUNK_BYTES = 8 * 1024 * 1024;
/** What an upload server says is short. */
const MAX_BYTES = 64 * 1024;

/** Milliseconds for one part: a line of 0.3 Mbit/s, or of 2 Mbit/s when the part is large; an hour at most. */
const MIN_PART_MS = 240_000;
const MAX_PART_MS = 3_600_000;
const SLOWEST_BYTES_PER_MS = 256;

const MAX_HEADERS = 50;
const NAME = /^[\w!#$%&'*+.^`|~-]{1,100}$/;

/** What a header can hold: no line break, no other control character. */
const VALUE = /^[\t\x20-\x7e\xa0-\xff]{0,4096}$/;

/** Headers about the connection and the length of what is sent, which only the sender knows. */
const OWN_HEADERS = new Set([
  'host',
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'expect',
]);

const MAX_OPERATIONS = 10_000;
const MAX_ADDRESS = 8192;
const METHODS = ['PUT', 'POST'] as const;

/**
 * The operations that upload a file, in its order.
 *
 * @param size of the file in bytes, which they must cover exactly; `null`: Apple does not say
 * @param mayCall whether an address of an answer may be called
 * @throws StoreRefusal when they are not usable as they are
 */
export function toOperations(
  list: JsonValue,
  size: number | null,
  mayCall: (url: URL) => boolean,
): UploadOperation[] {
  const { items } = list;
  if (!list.isListOrAbsent && !list.isNull) throw unusable(200, '');
  if (items.length > MAX_OPERATIONS) throw unusable(200, '');
  const operations = items.map((item, index) => toOperation(item, index, mayCall));
  operations.sort((one, other) => one.offset - other.offset);
  let covered = 0;
  for (const { offset, length } of operations) {
    if (offset !== covered) throw unusable(200, '');
    covered += length;
  }
  if (operations.length > 0 && size !== null && covered !== size) throw unusable(200, '');
  return operations;
}

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

function toOperation(item: JsonValue, index: number, mayCall: (url: URL) => boolean): UploadOperation {
  const method = METHODS.find((known) => known === item.get('method').string);
  const address = item.get('url').string ?? '';
  const [offset, length] = [integerOf(item.get('offset')), integerOf(item.get('length'))];
  if (method === undefined || offset === null || length === null || length === 0) throw unusable(200, '');
  if (address.length > MAX_ADDRESS || !URL.canParse(address)) throw unusable(200, '');
  const url = new URL(address);
  if (!mayCall(url)) throw new StoreRefusal(ADDRESS_REFUSED, 200, null);
  return {
    method,
    // As Apple wrote it: a signature may depend on each character.
    url: address,
    offset,
    length,
    partNumber: integerOf(item.get('partNumber')) ?? index + 1,
    requestHeaders: requireHeaders(item.get('requestHeaders'), length),
    expiration: timeOf(item.get('expiration').text),
  };
}

function integerOf(value: JsonValue): number | null {
  const text = value.text ?? '';
  return /^\d{1,15}$/.test(text) ? Number(text) : null;
}

function timeOf(text: string | null): Date | null {
  const time = Date.parse(text ?? '');
  return Number.isNaN(time) ? null : new Date(time);
}

const ADDRESS_REFUSED: Refusal = {
  code: 'upload_address_refused',
  sentence:
    'App Store Connect named an address for the upload that Slipway does not call: it is neither https nor the configured host. Ask the operator of this server to check APP_STORE_CONNECT_URL and the network; a retry rarely helps.',
  retry: 'again',
  does: 'new-upload',
  afterSeconds: 5,
};

/**
 * The headers that an operation wants: all of them, and no others. `Authorization` is one of Apple's, never the token.
 *
 * @param length of the part, which `Content-Length` must be
 * @throws StoreRefusal when one cannot be sent
 */
function requireHeaders(list: JsonValue, length: number): OperationHeader[] {
  if ((!list.isListOrAbsent && !list.isNull) || list.items.length > MAX_HEADERS) throw unusable(200, '');
  const seen = new Set<string>();
  return list.items.flatMap((item) => {
    const [name, value] = [item.get('name').string ?? '', item.get('value').string ?? ''];
    const key = name.toLowerCase();
    if (!NAME.test(name) || !VALUE.test(value) || OWN_HEADERS.has(key) || seen.has(key))
      throw unusable(200, '');
    seen.add(key);
    if (key !== 'content-length') return [{ name, value }];
    // It is sent anyway.
    if (value.trim() !== String(length)) throw unusable(200, '');
    return [];
  });
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
