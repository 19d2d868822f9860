import { randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadBucketCommand,
  HeadObjectCommand,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3';
import { Upload } from '@aws-sdk/lib-storage';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import pLimit from 'p-limit';
import { StorageFailure } from '../../common/errors/storage-failure.js';
import type { S3Config } from '../../config/groups/s3-config.js';
import {
  assertObjectKey,
  assertObjectKeyPrefix,
  assertWithin,
  type ByteRange,
  type ObjectDigest,
  type ObjectState,
  ObjectStorage,
  type ObjectSummary,
  PRESIGNED_SECONDS,
  type PresignedObject,
  type PresignRequest,
  readInOrder,
  type StoredObject,
} from '../object-storage.js';
import { digestOf } from '../digest-of.js';
import { ObjectNotFoundError } from '../storage-errors.js';
import type { StorageFailures } from '../storage-failures.js';
import { CountedBody, readBody } from './bodies.js';
import { assertETag, assertSameContent } from './etags.js';
import { createS3Clients, S3_TIMEOUTS, type S3Clients, type S3Timeouts } from './s3-clients.js';
import {
  isInvalidRange,
  isMissingObject,
  isUnnamed404,
  type S3Place,
  toStorageFailure,
} from './s3-errors.js';
import { S3Multipart } from './s3-multipart.js';

/** In bytes: the smallest that S3 accepts. 10,000 parts, the most that S3 accepts, are 50 GiB. */
const PART_SIZE = 5 * 1024 * 1024;
/** Parts of one upload that are sent at once. Each is held in memory. */
const PARTS_AT_ONCE = 2;
/** Uploads of this process that hold parts in memory: up to 15 MiB each. The others wait, and do not read their bodies. */
const UPLOADS_AT_ONCE = 16;
/** In bytes, of a name in the bucket. */
const MAX_NAME_LENGTH = 1024;

/** Keeps objects in a bucket of a store with the S3 protocol. Several processes may share it. See ADR 34. */
export class S3ObjectStorage extends ObjectStorage {
  private readonly clients: S3Clients;
  private readonly bucket: string;
  private readonly prefix: string;
  private readonly place: S3Place;
  /** Address of the CDN in front of the bucket, without a slash at the end; `null`: there is none. */
  private readonly cdn: string | null;
  private readonly multipart: S3Multipart;
  private readonly uploads = pLimit(UPLOADS_AT_ONCE);

  /**
   * @param config with bucket and region
   * @param failures counts failed requests
   */
  constructor(
    config: S3Config,
    private readonly failures: StorageFailures,
    private readonly timeouts: S3Timeouts = S3_TIMEOUTS,
  ) {
    super();
    this.bucket = config.bucket ?? '';
    this.prefix = config.prefix === null ? '' : config.prefix.replace(/\/?$/, '/');
    this.place = { bucket: this.bucket, region: config.region ?? '', endpoint: config.endpoint };
    this.cdn = config.cdnUrl?.replace(/\/$/, '') ?? null;
    this.clients = createS3Clients(config, timeouts);
    this.multipart = new S3Multipart(this.clients.requests, this.bucket, timeouts);
  }

  override async put(key: string, body: Readable): Promise<{ sizeInBytes: number }> {
    const name = this.nameOf(key);
    // An error of the body before the upload reads it would end the process; the upload still learns of it.
    body.on('error', () => undefined);
    if (body.readableEnded) throw new TypeError('The body has been read already.');
    const content = new CountedBody(body, PART_SIZE);
    const upload = new Upload({
      client: this.clients.uploads,
      params: { Bucket: this.bucket, Key: name, Body: Readable.from(content.read(), { objectMode: false }) },
      partSize: PART_SIZE,
      queueSize: PARTS_AT_ONCE,
    });
    try {
      const answer = await this.uploads(() => upload.done());
      // Some stores send none when another request has just stored the object.
      if (!answer.ETag) await this.stat(key);
      assertSameContent(answer, content.md5());
    } catch (error) {
      body.destroy();
      throw content.error ?? (error instanceof StorageFailure ? error : this.failed(error));
    }
    return { sizeInBytes: content.sizeInBytes };
  }

  override async join(key: string, sources: readonly string[]): Promise<void> {
    const name = this.nameOf(key);
    const parts: { name: string; sizeInBytes: number }[] = [];
    for (const source of sources) {
      parts.push({ name: this.nameOf(source), ...(await this.stat(source)) });
    }
    const isCopied = await this.multipart.join(name, parts).catch(async (error: unknown) => {
      // A source was deleted since it was found: the next line names it.
      if (isMissingObject(error)) for (const source of sources) await this.stat(source);
      return this.fail(error);
    });
    if (!isCopied) await this.put(key, readInOrder(this, sources));
  }

  override async get(key: string): Promise<StoredObject> {
    const response = await this.open(key);
    const body = this.bodyOf(response.Body);
    try {
      return { body, ...this.stateOf(response) };
    } catch (error) {
      body.destroy();
      throw error;
    }
  }

  override async getRange(key: string, range: ByteRange): Promise<Readable> {
    const last = range.start + range.length - 1;
    const isPossible = Number.isSafeInteger(last) && range.start >= 0 && range.length > 0;
    if (!isPossible) assertWithin(range, (await this.stat(key)).sizeInBytes);
    const { Body, ContentRange = '' } = await this.open(key, `bytes=${range.start}-${last}`);
    const body = this.bodyOf(Body);
    try {
      // A store that does not know ranges sends everything.
      const [, start, total] = /^bytes (\d+)-\d+\/(\d+)$/.exec(ContentRange) ?? [];
      if (Number(start) !== range.start) throw this.failed(new Error(`it sent the range "${ContentRange}"`));
      assertWithin(range, Number(total));
    } catch (error) {
      body.destroy();
      throw error;
    }
    return body;
  }

  override async digest(key: string): Promise<ObjectDigest> {
    const { body } = await this.get(key);
    return digestOf(body);
  }

  override async stat(key: string): Promise<ObjectState> {
    const command = new HeadObjectCommand({ Bucket: this.bucket, Key: this.nameOf(key) });
    try {
      const answer = await this.clients.requests.send(command);
      assertETag(answer);
      return this.stateOf(answer);
    } catch (error) {
      return this.rejectRead(key, error);
    }
  }

  override async presign(key: string, request: PresignRequest): Promise<PresignedObject | null> {
    const { contentType, contentDisposition, cacheControl, expiresIn = PRESIGNED_SECONDS } = request;
    try {
      const { sizeInBytes, version } = await this.stat(key);
      if (sizeInBytes !== request.sizeInBytes) return null;
      const command = new GetObjectCommand({
        Bucket: this.bucket,
        Key: this.nameOf(key),
        ResponseContentType: contentType,
        ResponseContentDisposition: contentDisposition,
        ResponseCacheControl: cacheControl,
      });
      const address = await getSignedUrl(this.clients.presigner, command, { expiresIn });
      if (this.cdn === null || !request.isPublic) return { address, version };
      // The signature stays that for the store, whose name the CDN sends.
      return { address: this.cdn + address.slice(new URL(address).origin.length), version };
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return null;
      return this.fail(error);
    }
  }

  override async delete(key: string): Promise<void> {
    const command = new DeleteObjectCommand({ Bucket: this.bucket, Key: this.nameOf(key) });
    await this.clients.requests.send(command).catch((error: unknown) => {
      if (!isMissingObject(error) && !isUnnamed404(error)) throw this.failed(error);
    });
  }

  override async *list(prefix: string): AsyncGenerator<ObjectSummary> {
    assertObjectKeyPrefix(prefix);
    const pages = paginateListObjectsV2(
      { client: this.clients.requests },
      { Bucket: this.bucket, Prefix: this.prefix + prefix },
    );
    try {
      for await (const { Contents = [] } of pages) {
        for (const { Key = '', Size = 0, LastModified = new Date() } of Contents) {
          yield { key: Key.slice(this.prefix.length), sizeInBytes: Size, modifiedAt: LastModified };
        }
      }
    } catch (error) {
      throw this.failed(error);
    }
  }

  override async removeAbandoned(olderThan: Date): Promise<number> {
    return this.multipart.removeOlderThan(this.prefix, olderThan).catch((error: unknown) => this.fail(error));
  }

  override async countAbandoned(olderThan: Date): Promise<number> {
    return this.multipart.countOlderThan(this.prefix, olderThan).catch((error: unknown) => this.fail(error));
  }

  override space(): Promise<null> {
    return Promise.resolve(null);
  }

  /** Uses every permission that Slipway needs, but that to abort uploads. */
  override async checkWritable(): Promise<void> {
    const key = `.probe/${randomUUID()}`;
    await this.put(key, Readable.from([Buffer.from('probe')]));
    try {
      await buffer((await this.get(key)).body);
      await this.list(key).next();
      await this.countAbandoned(new Date(0));
    } catch (error) {
      await this.delete(key).catch(() => undefined);
      throw error;
    }
    await this.delete(key);
  }

  private async open(key: string, range?: string): Promise<GetObjectCommandOutput> {
    const command = new GetObjectCommand({ Bucket: this.bucket, Key: this.nameOf(key), Range: range });
    try {
      const answer = await this.clients.reads.send(command);
      if (!answer.ETag) (answer.Body as Readable).destroy();
      assertETag(answer);
      return answer;
    } catch (error) {
      if (isInvalidRange(error)) throw new RangeError('The range begins behind the end of the object.');
      return this.rejectRead(key, error);
    }
  }

  /**
   * An object counts as missing only when the store names that error, or has the bucket and no object: a proxy without
   * a store behind it responds with 404, too.
   *
   * @throws ObjectNotFoundError or StorageFailure
   */
  private async rejectRead(key: string, error: unknown): Promise<never> {
    if (!isMissingObject(error)) {
      if (!isUnnamed404(error)) throw this.failed(error);
      await this.assertBucket();
    }
    throw new ObjectNotFoundError(key);
  }

  /** A response without the length of the object says nothing about the object. */
  private stateOf({
    ETag,
    ContentLength,
  }: Pick<GetObjectCommandOutput, 'ETag' | 'ContentLength'>): ObjectState {
    if (ContentLength === undefined) throw this.failed(new Error('it did not send the length of an object'));
    return { sizeInBytes: ContentLength, version: `${ETag} ${ContentLength}` };
  }

  private bodyOf(body: GetObjectCommandOutput['Body']): Readable {
    return readBody(body as Readable, this.timeouts.stall, (error) => this.failed(error));
  }

  private async assertBucket(): Promise<void> {
    const command = new HeadBucketCommand({ Bucket: this.bucket });
    await this.clients.requests.send(command).catch((error: unknown) => this.fail(error));
  }

  /** The name of an object in the bucket. */
  private nameOf(key: string): string {
    assertObjectKey(key);
    const name = this.prefix + key;
    if (name.length > MAX_NAME_LENGTH)
      throw new TypeError(`The object key ${JSON.stringify(key)} is too long.`);
    return name;
  }

  private failed(error: unknown): StorageFailure {
    return this.failures.count(toStorageFailure(error, this.place));
  }

  private fail(error: unknown): never {
    throw error instanceof ObjectNotFoundError ? error : this.failed(error);
  }
}
