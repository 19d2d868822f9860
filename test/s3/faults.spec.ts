import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { CreateMultipartUploadCommand, PutObjectCommand, UploadPartCommand } from '@aws-sdk/client-s3';
import { StorageFailure } from '../../src/common/errors/storage-failure.js';
import { ObjectNotFoundError } from '../../src/storage/storage-errors.js';
import { type Fault, StoreProxy, type SeenRequest } from '../support/s3/store-proxy.js';
import { openTestBucket, type TestBucket } from '../support/s3/test-bucket.js';
import { sha256 } from '../support/sha256.js';

const MIB = 1024 * 1024;
/** In milliseconds. */
const TIMEOUTS = { connect: 2000, request: 3000, copy: 10_000, stall: 1000 };
const SLOW_DOWN: Fault = { kind: 'error', status: 503, code: 'SlowDown' };

let proxy: StoreProxy;
let bucket: TestBucket;
let key: string;
let count = 0;

beforeAll(async () => {
  proxy = await StoreProxy.start(process.env['S3_ENDPOINT'] ?? '');
  bucket = await openTestBucket({ S3_ENDPOINT: proxy.url }, TIMEOUTS);
});
beforeEach(() => {
  proxy.heal();
  key = `folder/${count++}`;
});
afterAll(async () => {
  await bucket.dispose();
  await proxy.stop();
});

const put = (content: Buffer, at = key) => bucket.storage.put(at, streamOf(content));
const read = async (at = key) => buffer((await bucket.storage.get(at)).body);
const inAMinute = () => new Date(Date.now() + 60_000);
const keys = async () => {
  const found: string[] = [];
  for await (const object of bucket.storage.list('')) found.push(object.key);
  return found;
};

describe('a store that fails for a moment', () => {
  it.each<Fault>([SLOW_DOWN, { kind: 'error', status: 429, code: 'TooManyRequests' }, { kind: 'cut' }])(
    'is asked again after %o',
    async (fault) => {
      const content = randomBytes(100_000);
      proxy.failNext(2, fault);
      await put(content);
      proxy.failNext(2, fault);
      expect((await read()).equals(content)).toBe(true);
      proxy.failNext(2, fault);
      expect(await bucket.storage.stat(key)).toMatchObject({ sizeInBytes: content.length });
      proxy.failNext(2, fault);
      await bucket.storage.delete(key);
      await expect(bucket.storage.get(key)).rejects.toBeInstanceOf(ObjectNotFoundError);
    },
  );

  it('is asked again for one part of many', async () => {
    const content = randomBytes(12 * MIB);
    proxy.failNext(1, { kind: 'cut' }, ({ path }) => path.includes('partNumber=2'));
    await put(content);
    expect(sha256(await read())).toBe(sha256(content));
  });

  it('may take longer to join the parts of a large object than for other requests', async () => {
    const content = randomBytes(12 * MIB);
    const isCompletion = ({ method, path }: SeenRequest): boolean =>
      method === 'POST' && path.includes('uploadId=');
    proxy.fault = (request) =>
      isCompletion(request) ? { kind: 'delay', ms: TIMEOUTS.request + 1000 } : null;
    const before = proxy.seen.length;
    await put(content);
    expect(proxy.seen.slice(before).filter(isCompletion)).toHaveLength(1);
    expect(sha256(await read())).toBe(sha256(content));
  });
});

describe('a store that goes on failing', () => {
  it.each<[string, Fault]>([
    ['503', SLOW_DOWN],
    ['429', { kind: 'error', status: 429, code: 'TooManyRequests' }],
    ['cut connections', { kind: 'cut' }],
    ['long delays', { kind: 'delay', ms: 60_000 }],
    ['corrupted content', { kind: 'corrupt' }],
  ])('stores nothing and keeps what is there: %s', async (_name, fault) => {
    await put(Buffer.from('kept'));
    const { unavailable } = bucket.failures.counts;
    proxy.failAll(fault, ['PUT', 'POST']);
    const body = streamOf(randomBytes(100_000));
    await expect(bucket.storage.put(key, body)).rejects.toMatchObject({ reason: 'unavailable' });
    expect(body.destroyed).toBe(true);
    expect(bucket.failures.counts.unavailable).toBe(unavailable + 1);
    proxy.heal();
    expect((await read()).toString()).toBe('kept');
  });

  it('is full', async () => {
    for (const [status, code] of [
      [507, 'InsufficientStorage'],
      [403, 'QuotaExceeded'],
      [400, 'XMinioAdminBucketQuotaExceeded'],
    ] as const) {
      proxy.failAll({ kind: 'error', status, code }, ['PUT']);
      await expect(put(Buffer.from('x'))).rejects.toMatchObject({
        reason: 'full',
        message: expect.stringContaining('(S3_BUCKET) is full') as string,
      });
    }
  });

  it('has no upload left behind when a part fails', async () => {
    proxy.failAll({ kind: 'error', status: 500, code: 'InternalError' }, ['PUT']);
    await expect(put(randomBytes(12 * MIB))).rejects.toBeInstanceOf(StorageFailure);
    proxy.heal();
    expect(await keys()).not.toContain(key);
    expect(await bucket.storage.countAbandoned(inAMinute())).toBe(0);
  });

  it('is cleaned up later when it also fails to abort an upload', async () => {
    proxy.fault = ({ method, path }) =>
      method === 'DELETE' || path.includes('partNumber=2') ? { kind: 'cut' } : null;
    await expect(put(randomBytes(12 * MIB))).rejects.toBeInstanceOf(StorageFailure);
    proxy.heal();
    expect(await keys()).not.toContain(key);
    expect(await bucket.storage.countAbandoned(new Date(Date.now() - 60_000))).toBe(0);
    expect(await bucket.storage.removeAbandoned(inAMinute())).toBe(1);
    expect(await bucket.storage.countAbandoned(inAMinute())).toBe(0);
  });

  it('is no reason to take an object for lost', async () => {
    await put(Buffer.from('kept'));
    for (const code of ['NoSuchBucket', 'AccessDenied']) {
      const status = code === 'NoSuchBucket' ? 404 : 403;
      proxy.failAll({ kind: 'error', status, code });
      await expect(bucket.storage.get(key)).rejects.toBeInstanceOf(StorageFailure);
      await expect(bucket.storage.stat(key)).rejects.toBeInstanceOf(StorageFailure);
      await expect(bucket.storage.digest(key)).rejects.toBeInstanceOf(StorageFailure);
    }
  });
});

describe('a response', () => {
  it.each<[string, Fault]>([
    ['is cut', { kind: 'cut-response' }],
    ['stalls', { kind: 'stall' }],
  ])('that %s fails its reader', async (_name, fault) => {
    await put(randomBytes(500_000));
    proxy.failAll(fault, ['GET']);
    await expect(read()).rejects.toBeInstanceOf(StorageFailure);
    await expect(bucket.storage.digest(key)).rejects.toBeInstanceOf(StorageFailure);
  });

  it('waits for a reader that is slower than the store may be', async () => {
    const content = randomBytes(3 * MIB);
    await put(content);
    const { body } = await bucket.storage.get(key);
    await sleep(2 * TIMEOUTS.stall);
    expect((await buffer(body)).equals(content)).toBe(true);
  });
});

describe('a page instead of a response of the store', () => {
  it('is no success: nothing counts as stored, found or read', async () => {
    await put(Buffer.from('kept'));
    proxy.failAll({ kind: 'page' });
    const failure = { name: 'StorageFailure', reason: 'unavailable' };
    await expect(put(Buffer.from('small'))).rejects.toMatchObject(failure);
    await expect(put(randomBytes(12 * MIB))).rejects.toMatchObject(failure);
    await expect(bucket.storage.stat(key)).rejects.toMatchObject(failure);
    await expect(bucket.storage.get(key)).rejects.toMatchObject(failure);
    await expect(bucket.storage.getRange(key, { start: 0, length: 2 })).rejects.toMatchObject(failure);
    await expect(bucket.storage.join(`${key}-joined`, [key])).rejects.toMatchObject(failure);
    proxy.heal();
    expect((await read()).toString()).toBe('kept');
    expect(await keys()).not.toContain(`${key}-joined`);
  });
});

it('is a failure of the store when it says that it has stored other bytes', async () => {
  proxy.failAll({ kind: 'wrong-etag' }, ['PUT']);
  await expect(put(Buffer.from('small'))).rejects.toMatchObject({
    name: 'StorageFailure',
    reason: 'unavailable',
  });
});

describe('a store that lies about ETags', () => {
  beforeEach(() => proxy.failAll({ kind: 'wrong-etag' }, ['GET', 'HEAD', 'DELETE']));

  it('is read all the same', async () => {
    const content = randomBytes(12 * MIB);
    await put(content);
    expect(await bucket.storage.digest(key)).toEqual({
      sha256: sha256(content),
      sizeInBytes: content.length,
    });
    const range = await buffer(await bucket.storage.getRange(key, { start: MIB, length: 10 }));
    expect(range.equals(content.subarray(MIB, MIB + 10))).toBe(true);
  });

  it('stores nothing of an upload in parts when it does not know its own', async () => {
    proxy.failAll({ kind: 'wrong-etag' }, ['PUT']);
    await expect(put(randomBytes(12 * MIB))).rejects.toBeInstanceOf(StorageFailure);
    proxy.heal();
    expect(await keys()).not.toContain(key);
    expect(await bucket.storage.countAbandoned(inAMinute())).toBe(0);
  });
});

describe('join', () => {
  const storeParts = async (sizes: readonly number[]) => {
    const parts = sizes.map((size, index) => ({ at: `${key}-${index}`, content: randomBytes(size) }));
    for (const { at, content } of parts) await put(content, at);
    return { names: parts.map(({ at }) => at), content: Buffer.concat(parts.map((part) => part.content)) };
  };

  it('lets the store copy parts of one size', async () => {
    const { names, content } = await storeParts([5 * MIB, 5 * MIB, 1000]);
    const before = proxy.seen.length;
    await bucket.storage.join(key, names);
    const seen = proxy.seen.slice(before);
    expect(seen.filter(({ method, path }) => method === 'PUT' && path.includes('partNumber='))).toHaveLength(
      3,
    );
    expect(seen.filter(({ method }) => method === 'GET')).toEqual([]);
    expect(sha256(await read())).toBe(sha256(content));
  });

  it('copies them itself when the store cannot', async () => {
    const { names, content } = await storeParts([5 * MIB, 5 * MIB, 1000]);
    proxy.failNext(1, { kind: 'error', status: 501, code: 'NotImplemented' }, ({ path }) =>
      path.includes('partNumber='),
    );
    await bucket.storage.join(key, names);
    expect(sha256(await read())).toBe(sha256(content));
    expect(await bucket.storage.countAbandoned(inAMinute())).toBe(0);
  });

  it('stores nothing when a copy fails', async () => {
    const { names } = await storeParts([5 * MIB, 5 * MIB, 1000]);
    proxy.fault = ({ path }) => (path.includes('partNumber=2') ? SLOW_DOWN : null);
    await expect(bucket.storage.join(key, names)).rejects.toBeInstanceOf(StorageFailure);
    proxy.heal();
    await expect(bucket.storage.stat(key)).rejects.toBeInstanceOf(ObjectNotFoundError);
    expect(await bucket.storage.countAbandoned(inAMinute())).toBe(0);
  });

  it('reports a source that is deleted meanwhile as missing, and stores nothing', async () => {
    const { names } = await storeParts([5 * MIB, 5 * MIB, 1000]);
    const { unavailable } = bucket.failures.counts;
    let deletion: Promise<void> | undefined;
    proxy.fault = ({ path }) => {
      // All sources were found by now.
      if (!path.includes('partNumber=')) return null;
      deletion ??= bucket.storage.delete(names[1]!);
      return { kind: 'delay', ms: 500 };
    };
    await expect(bucket.storage.join(key, names)).rejects.toBeInstanceOf(ObjectNotFoundError);
    await deletion;
    proxy.heal();
    await expect(bucket.storage.stat(key)).rejects.toBeInstanceOf(ObjectNotFoundError);
    expect(await bucket.storage.countAbandoned(inAMinute())).toBe(0);
    expect(bucket.failures.counts.unavailable).toBe(unavailable);
  });
});

describe('the bucket', () => {
  const direct = () => ({ Bucket: process.env['S3_BUCKET'], Key: `${bucket.config.prefix}/${key}` });

  it('may be changed behind the back of Slipway', async () => {
    await put(randomBytes(1000));
    const { body } = await bucket.storage.get(key);
    await bucket.client.send(new PutObjectCommand({ ...direct(), Body: 'other' }));
    expect(await buffer(body)).toHaveLength(1000);
    expect((await read()).toString()).toBe('other');
    expect(await bucket.storage.stat(key)).toMatchObject({ sizeInBytes: 5 });
    await expect(bucket.storage.getRange(key, { start: 4, length: 2 })).rejects.toThrow(RangeError);
  });

  it('keeps an upload in parts that is still fed', async () => {
    const { UploadId } = await bucket.client.send(new CreateMultipartUploadCommand(direct()));
    await sleep(1500);
    const between = new Date();
    await sleep(1500);
    const part = { ...direct(), UploadId, PartNumber: 1, Body: 'x' };
    await bucket.client.send(new UploadPartCommand(part));
    expect(await bucket.storage.removeAbandoned(between)).toBe(0);
    expect(await bucket.storage.removeAbandoned(inAMinute())).toBe(1);
  });

  it('holds one of the contents that two replicas write at once', async () => {
    const replica = await openTestBucket({ S3_PREFIX: bucket.config.prefix ?? '' });
    const contents = [randomBytes(12 * MIB), randomBytes(12 * MIB)];
    await Promise.all([put(contents[0]!), replica.storage.put(key, streamOf(contents[1]!))]);
    const stored = sha256(await read());
    expect(contents.map(sha256)).toContain(stored);
    expect(await bucket.storage.countAbandoned(inAMinute())).toBe(0);
  });
});

it('takes names of 1,024 bytes', async () => {
  const room = 1024 - (bucket.config.prefix?.length ?? 0) - 1;
  const longest = `${'a'.repeat(200)}/`.repeat(10).slice(0, room).replace(/\/$/, 'a');
  await put(Buffer.from('x'), longest);
  expect((await read(longest)).toString()).toBe('x');
  expect(await keys()).toContain(longest);
  await bucket.storage.delete(longest);
  await expect(put(Buffer.from('x'), `${longest}b`)).rejects.toThrow(TypeError);
});

it('refuses keys that S3 would take, before it asks the store', async () => {
  const before = proxy.seen.length;
  for (const wrong of ['ä', 'a b', `${'a/'.repeat(512)}a`, 'a'.repeat(256), '../a', '日本語']) {
    await expect(put(Buffer.from('x'), wrong)).rejects.toThrow(TypeError);
    await expect(bucket.storage.get(wrong)).rejects.toThrow(TypeError);
    await expect(bucket.storage.delete(wrong)).rejects.toThrow(TypeError);
  }
  // With the prefix, the name would be too long.
  await expect(put(Buffer.from('x'), `${'a/'.repeat(511)}a`)).rejects.toThrow(TypeError);
  expect(proxy.seen).toHaveLength(before);
});

/** A stream of one buffer, in pieces as they come from a socket. */
function streamOf(content: Buffer): Readable {
  const pieces = function* (): Generator<Buffer> {
    for (let start = 0; start < content.length; start += 65_536)
      yield content.subarray(start, start + 65_536);
  };
  return Readable.from(pieces(), { objectMode: false });
}
