import { Readable } from 'node:stream';

/** What the storage knows of an object without reading it. */
export interface ObjectState {
  /** Length of the content in bytes. */
  readonly sizeInBytes: number;
  /**
   * Another one once the content was written again, by anyone: on disk made of length, times of change and inode of the file,
   * in object storage of `ETag` and length. Equal ones do not prove that no bit has changed.
   */
  readonly version: string;
}

/** An object opened for reading. */
export interface StoredObject extends ObjectState {
  /** The content. Read it to the end or destroy it: until then it holds a file or connection open. */
  readonly body: Readable;
}

/** An address at which others read an object. */
export interface PresignedObject {
  readonly address: string;
  /** As in {@link ObjectState}. */
  readonly version: string;
}

/** A part of an object's content. */
export interface ByteRange {
  /** Place of the first byte, from 0. */
  readonly start: number;
  /** How many bytes, at least 1. */
  readonly length: number;
}

/** Identifies the content of an object. */
export interface ObjectDigest {
  /** SHA-256 in lower-case hexadecimal. */
  readonly sha256: string;
  /** Length of the content in bytes. */
  readonly sizeInBytes: number;
}

/** An object as a listing shows it. */
export interface ObjectSummary {
  key: string;
  /** Length of the content in bytes. */
  sizeInBytes: number;
  /** When the content was last written. */
  modifiedAt: Date;
}

/** Room in the storage. */
export interface StorageSpace {
  /** Bytes that can still be stored. */
  readonly freeBytes: number;
  readonly totalBytes: number;
  /** Files that can still be stored; `null`: the file system has no limit. */
  readonly freeInodes: number | null;
  readonly totalInodes: number | null;
}

/**
 * Where Slipway keeps files: a flat space of keys, each with immutable content that can only be replaced completely.
 *
 * A key consists of segments of letters, digits, `.`, `_` and `-`, joined by `/`; see {@link assertObjectKey}.
 * No key may continue another one (`a` and `a/b`), and no two may differ in upper and lower case alone: not
 * every file system can hold both.
 *
 * Content is streamed: no method holds more of it in memory than the buffers of a stream, except that the S3
 * driver holds up to three parts of 5 MiB in `put`, since S3 wants to know lengths in advance. Besides the errors
 * named below, every method rejects when the file system or service fails (disk full, no access, no connection):
 * with the error of the file system, or with a `StorageFailure` on S3. So do streams.
 *
 * An abstract class, so that it serves as injection token.
 */
export abstract class ObjectStorage {
  /**
   * Stores everything that `body` delivers under the key, and replaces what was there. The object appears atomically
   * and durably, before the promise is fulfilled. When the body fails or is destroyed before its end, or when it cannot
   * be written, nothing is stored, what was there stays, and the promise is rejected with the cause.
   *
   * @param body a stream of bytes that was not read before; it is consumed or destroyed, unless an argument is
   *   invalid
   * @returns the number of bytes stored
   */
  abstract put(key: string, body: Readable): Promise<{ sizeInBytes: number }>;

  /**
   * Joins several objects to one, in the given order. The sources stay, and may be deleted as soon as the promise is
   * fulfilled. Like `put`, the new object appears atomically and durably. Storage that can joins
   * them without writing their bytes again, when all but the last have at least {@link MIN_JOINED_BYTES}.
   *
   * @param key a key that nothing was stored under before
   * @throws ObjectNotFoundError when a source is missing
   */
  abstract join(key: string, sources: readonly string[]): Promise<void>;

  /**
   * Opens an object for reading. An object that is replaced or deleted while it is read still delivers its old content;
   * the stream of a joined object, or of one that was stored in parts, may fail instead.
   *
   * @throws ObjectNotFoundError when nothing is stored under the key
   */
  abstract get(key: string): Promise<StoredObject>;

  /**
   * Opens a part of an object for reading, so that a large one can be looked into without reading all of it. Read the
   * stream to its end or destroy it.
   *
   * @throws ObjectNotFoundError when nothing is stored under the key
   * @throws RangeError when the part is empty or reaches beyond the end of the object
   */
  abstract getRange(key: string, range: ByteRange): Promise<Readable>;

  /**
   * Reads an object to its end, for its length and its hash.
   *
   * @throws ObjectNotFoundError when nothing is stored under the key
   */
  abstract digest(key: string): Promise<ObjectDigest>;

  /**
   * Whether an object is there, how long it is and which version of it, without reading it.
   *
   * @throws ObjectNotFoundError when nothing is stored under the key
   */
  abstract stat(key: string): Promise<ObjectState>;

  /**
   * Makes an address at which anyone can read an object for {@link PRESIGNED_SECONDS}. Only storage that others can reach
   * has any.
   *
   * @param request the object, and how it is sent
   * @returns `null`: there is none, or the object is missing or has another length
   */
  presign(_key: string, _request: PresignRequest): Promise<PresignedObject | null> {
    return Promise.resolve(null);
  }

  /** Deletes an object. Does nothing when there is none. */
  abstract delete(key: string): Promise<void>;

  /**
   * All objects whose key starts with the prefix, in no particular order. The prefix is compared as text and may
   * end within a segment; the empty prefix lists everything. Objects that are stored or deleted while the
   * listing runs may or may not be in it.
   */
  abstract list(prefix: string): AsyncIterable<ObjectSummary>;

  /**
   * Deletes the partial content that writes left behind when their process ended. No method shows it. Storage that
   * cleans up after itself has nothing to do here.
   *
   * @param olderThan only what was last written before this time; it must lie further back than any write can
   *   stall, since a write in progress looks no different
   * @returns how many partial writes were deleted
   */
  abstract removeAbandoned(olderThan: Date): Promise<number>;

  /** How many partial writes `removeAbandoned` would delete. */
  abstract countAbandoned(olderThan: Date): Promise<number>;

  /** How much room there is; `null`: as much as is needed, as in object storage. */
  abstract space(): Promise<StorageSpace | null>;

  /**
   * Stores and deletes a small object under `.probe/`, so that missing access shows at start and not at the
   * first upload. Rejects with the error of the file system or service.
   */
  abstract checkWritable(): Promise<void>;
}

/** How long a presigned address works, in seconds. A download that has begun continues after that. */
export const PRESIGNED_SECONDS = 900;

/** An object that others read, and the headers that the store sends with it. */
export interface PresignRequest {
  readonly sizeInBytes: number;
  readonly contentType: string;
  readonly contentDisposition: string;
  readonly cacheControl: string;
  /** Whether the address may be that of the CDN, which keeps the object. */
  readonly isPublic: boolean;
  /** How long the address works, in seconds; by default {@link PRESIGNED_SECONDS}. */
  readonly expiresIn?: number;
}

/** Smallest part of a joined object but the last, in bytes: as of multipart uploads of S3. Smaller ones are copied. */
export const MIN_JOINED_BYTES = 5 * 1024 * 1024;

/** The content of several objects, one after the other: each is opened when it is reached. */
export function readInOrder(storage: ObjectStorage, keys: readonly string[]): Readable {
  async function* chunks(): AsyncGenerator<Buffer> {
    for (const key of keys) yield* (await storage.get(key)).body as AsyncIterable<Buffer>;
  }
  return Readable.from(chunks(), { objectMode: false });
}

const MAX_KEY_LENGTH = 1024;
const MAX_SEGMENT_LENGTH = 255;
const SEGMENT = /^[A-Za-z0-9._-]+$/;

/**
 * Checks that a key is safe as a path on disk and valid on S3: at most 1024 characters, in segments of 1 to 255
 * of `A-Z a-z 0-9 . _ -` joined by `/`, and no segment `.` or `..`.
 *
 * @throws TypeError otherwise; keys are made by the program, so this is an error in it
 */
export function assertObjectKey(key: string): void {
  if (!isObjectKey(key)) {
    throw new TypeError(`Invalid object key ${JSON.stringify(key)}.`);
  }
}

/**
 * Checks that at least one valid key starts with the prefix. The empty prefix is valid.
 *
 * @throws TypeError otherwise
 */
export function assertObjectKeyPrefix(prefix: string): void {
  if (!isObjectKey(prefix) && !isObjectKey(`${prefix}x`)) {
    throw new TypeError(`Invalid prefix of object keys ${JSON.stringify(prefix)}.`);
  }
}

/**
 * Checks that a part lies within an object.
 *
 * @throws RangeError otherwise
 */
export function assertWithin({ start, length }: ByteRange, sizeInBytes: number): void {
  const isWhole = Number.isSafeInteger(start) && Number.isSafeInteger(length);
  if (!isWhole || start < 0 || length < 1 || start + length > sizeInBytes) {
    throw new RangeError(`${length} bytes from ${start} are not a part of ${sizeInBytes} bytes.`);
  }
}

function isObjectKey(key: string): boolean {
  return key.length <= MAX_KEY_LENGTH && key.split('/').every(isSegment);
}

function isSegment(segment: string): boolean {
  return segment.length <= MAX_SEGMENT_LENGTH && SEGMENT.test(segment) && segment !== '.' && segment !== '..';
}
