import { createHash, hash, randomBytes, randomUUID } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { ObjectStorage } from '../../src/storage/object-storage.js';
import { ObjectNotFoundError } from '../../src/storage/storage-errors.js';

const MIB = 1024 * 1024;
const CHUNK_SIZE = 64 * 1024;
/** How far the clock of a remote storage may be off, in milliseconds. */
const CLOCK_TOLERANCE = 10 * 60_000;

/**
 * Defines the suite of behaviours that every driver of `ObjectStorage` must pass.
 *
 * @param name names the driver in the report
 * @param create opens the storage, once for the suite; `dispose` removes it and all of its content. The storage
 *   may hold other objects: each test stays below a prefix of its own.
 */
export function describeObjectStorage(
  name: string,
  create: () => Promise<{ storage: ObjectStorage; dispose(): Promise<void> }>,
): void {
  describe(name, () => {
    let storage: ObjectStorage;
    let dispose: () => Promise<void>;
    let prefix: string;
    let key: string;

    beforeAll(async () => {
      ({ storage, dispose } = await create());
    });
    afterAll(() => dispose());
    beforeEach(() => {
      prefix = `test-${randomUUID()}/`;
      key = `${prefix}folder/object.bin`;
    });

    const put = (content: Buffer, at = key) => storage.put(at, streamOf(content));
    const read = async (at = key) => buffer((await storage.get(at)).body);
    const expectNothingAt = (at: string) =>
      expect(storage.get(at)).rejects.toBeInstanceOf(ObjectNotFoundError);
    const keysBelow = async (start: string) =>
      (await collect(storage.list(start))).map((object) => object.key).sort();

    it('is writable and leaves no trace of finding out', async () => {
      await storage.checkWritable();
      expect(await keysBelow('.probe/')).toEqual([]);
    });

    describe('put and get', () => {
      it.each([0, 1, CHUNK_SIZE + 1])('round-trips %d bytes', async (size) => {
        const content = randomBytes(size);
        expect(await put(content)).toEqual({ sizeInBytes: size });
        const object = await storage.get(key);
        expect(object.sizeInBytes).toBe(size);
        expect((await buffer(object.body)).equals(content)).toBe(true);
      });

      it('round-trips 30 MB, streamed', async () => {
        const source = randomStream(30_000_000);
        expect(await storage.put(key, source.body)).toEqual({ sizeInBytes: 30_000_000 });
        const object = await storage.get(key);
        expect(object.sizeInBytes).toBe(30_000_000);
        expect(await sha256(object.body)).toBe(source.sha256());
      });

      it('replaces an object as a whole', async () => {
        await put(Buffer.from('a long first content'));
        await put(Buffer.from('second'));
        expect((await read()).toString()).toBe('second');
        expect(await keysBelow(prefix)).toEqual([key]);
      });

      it('rejects the reading of an unknown key', async () => {
        await put(Buffer.from('x'));
        await expectNothingAt(`${prefix}unknown`);
        // Beginnings of keys and continuations of them are no objects either.
        await expectNothingAt(`${prefix}folder`);
        await expectNothingAt(`${prefix}folder/object.bin/more`);
      });

      it('lets a reader give up', async () => {
        await put(randomBytes(MIB));
        (await storage.get(key)).body.destroy();
        expect((await read()).length).toBe(MIB);
      });

      it.each([
        ['fails half-way', () => failingStream(MIB, new Error('source failed')), /source failed/],
        ['fails before its first byte', () => failingStream(0, new Error('source failed')), /source failed/],
        ['is destroyed half-way', () => failingStream(MIB), /.*/],
        ['is destroyed from the start', () => streamOf(randomBytes(10)).destroy(), /.*/],
      ])('stores nothing when the body %s', async (_case, body, message) => {
        await expect(storage.put(key, body())).rejects.toThrow(message);
        await expectNothingAt(key);
        expect(await keysBelow(prefix)).toEqual([]);
      });

      it('keeps the object when its replacement fails', async () => {
        await put(Buffer.from('kept'));
        await expect(storage.put(key, failingStream(MIB, new Error('source failed')))).rejects.toThrow();
        expect((await read()).toString()).toBe('kept');
      });

      it('stores 50 objects at once', async () => {
        const contents = Array.from({ length: 50 }, (_, i) => ({
          at: `${prefix}${i % 5}/${i}`,
          content: randomBytes(i * 1000),
        }));
        await Promise.all(contents.map(({ at, content }) => put(content, at)));
        for (const { at, content } of contents) {
          expect((await read(at)).equals(content)).toBe(true);
        }
        expect(await keysBelow(prefix)).toHaveLength(50);
      });

      it('stores one of the contents when they compete for a key', async () => {
        const contents = Array.from({ length: 10 }, () => randomBytes(200_000));
        await Promise.all(contents.map((content) => put(content)));
        const stored = await read();
        expect(contents.some((content) => content.equals(stored))).toBe(true);
      });
    });

    describe('getRange', () => {
      const content = randomBytes(3 * CHUNK_SIZE);
      const readRange = async (start: number, length: number) =>
        buffer(await storage.getRange(key, { start, length }));

      it.each([
        ['all of it', 0, content.length],
        ['its first byte', 0, 1],
        ['its last byte', content.length - 1, 1],
        ['a part in the middle', 1000, CHUNK_SIZE + 1],
      ])('reads %s', async (_case, start, length) => {
        await put(content);
        expect((await readRange(start, length)).equals(content.subarray(start, start + length))).toBe(true);
      });

      it.each([
        [0, 0],
        [0, content.length + 1],
        [content.length, 1],
        [content.length - 1, 2],
        [-1, 2],
        [0, -1],
        [0.5, 1],
        [0, Number.NaN],
      ])('refuses the part of %d and %d', async (start, length) => {
        await put(content);
        await expect(storage.getRange(key, { start, length })).rejects.toThrow(RangeError);
      });

      it('rejects the reading of an unknown key', async () => {
        await put(content);
        for (const at of [`${prefix}unknown`, `${prefix}folder`, `${key}/more`]) {
          const reading = storage.getRange(at, { start: 0, length: 1 });
          await expect(reading).rejects.toBeInstanceOf(ObjectNotFoundError);
        }
      });

      it('reads many parts at once, and lets a reader give up', async () => {
        await put(content);
        (await storage.getRange(key, { start: 0, length: content.length })).destroy();
        const starts = Array.from({ length: 50 }, (_, i) => i * 100);
        const parts = await Promise.all(starts.map((start) => readRange(start, 100)));
        expect(Buffer.concat(parts).equals(content.subarray(0, 5000))).toBe(true);
      });
    });

    describe('join', () => {
      /** A part that can be joined without copying, small ones, and an empty one. */
      const PART = 5 * MIB;
      const store = async (sizes: readonly number[]): Promise<{ keys: string[]; content: Buffer }> => {
        const parts = sizes.map((size) => randomBytes(size));
        const keys = parts.map((_, i) => `${prefix}part-${i}`);
        await Promise.all(parts.map((part, i) => put(part, keys[i])));
        return { keys, content: Buffer.concat(parts) };
      };

      it.each([
        ['equal parts and a shorter one', [PART, PART, 1234]],
        ['parts of any size', [PART, 1000, PART + 1, 0, 70_000]],
        ['one part', [PART]],
        ['an empty last part', [PART, PART, 0]],
        ['nothing but an empty part', [0]],
      ])('joins %s', async (_case, sizes) => {
        const { keys, content } = await store(sizes);
        await storage.join(key, keys);
        for (const part of keys) await storage.delete(part);
        const object = await storage.get(key);
        expect(object.sizeInBytes).toBe(content.length);
        expect((await buffer(object.body)).equals(content)).toBe(true);
        expect(await storage.stat(key)).toEqual({ sizeInBytes: content.length, version: object.version });
        expect(await storage.digest(key)).toEqual({
          sha256: hash('sha256', content, 'hex'),
          sizeInBytes: content.length,
        });
        expect(await collect(storage.list(prefix))).toMatchObject([{ key, sizeInBytes: content.length }]);
        await storage.delete(key);
        await expectNothingAt(key);
        expect(await keysBelow(prefix)).toEqual([]);
      });

      it('reads ranges across the parts', async () => {
        const { keys, content } = await store([PART, PART, 1000]);
        await storage.join(key, keys);
        for (const [start, length] of [
          [0, content.length],
          [PART - 1, 1],
          [PART, 1],
          [PART - 10, 20],
          [100, 2 * PART],
          [content.length - 1, 1],
        ] as const) {
          const range = await buffer(await storage.getRange(key, { start, length }));
          expect(range.equals(content.subarray(start, start + length))).toBe(true);
        }
        await expect(storage.getRange(key, { start: 1, length: content.length })).rejects.toThrow(RangeError);
      });

      it('leaves its sources as they are', async () => {
        const { keys, content } = await store([PART, PART]);
        await storage.join(key, keys);
        await storage.delete(key);
        expect(Buffer.concat([await read(keys[0]), await read(keys[1])]).equals(content)).toBe(true);
      });

      it('is replaced like any object', async () => {
        const { keys } = await store([PART, PART]);
        await storage.join(key, keys);
        await put(Buffer.from('replaced'));
        expect((await read()).toString()).toBe('replaced');
        expect(await storage.stat(key)).toMatchObject({ sizeInBytes: 8 });
        expect(await keysBelow(key)).toEqual([key]);
        await storage.delete(key);
        await expectNothingAt(key);
      });

      it('stores nothing when a source is missing', async () => {
        const { keys } = await store([PART]);
        const joining = storage.join(key, [...keys, `${prefix}unknown`]);
        await expect(joining).rejects.toBeInstanceOf(ObjectNotFoundError);
        await expectNothingAt(key);
      });

      it('joins what was joined', async () => {
        const { keys, content } = await store([PART, 10]);
        await storage.join(key, keys);
        await storage.join(`${prefix}again`, [key, key]);
        expect((await read(`${prefix}again`)).equals(Buffer.concat([content, content]))).toBe(true);
      });

      it('lets a reader give up', async () => {
        const { keys } = await store([PART, PART]);
        await storage.join(key, keys);
        (await storage.get(key)).body.destroy();
        expect((await read()).length).toBe(2 * PART);
      });
    });

    describe('digest', () => {
      it.each([0, 1, MIB, 3 * MIB + 7])('reads an object of %i bytes', async (size) => {
        const content = randomBytes(size);
        await put(content);
        expect(await storage.digest(key)).toEqual({
          sha256: hash('sha256', content, 'hex'),
          sizeInBytes: size,
        });
      });

      it('rejects an unknown key', async () => {
        await expect(storage.digest(key)).rejects.toBeInstanceOf(ObjectNotFoundError);
      });
    });

    describe('stat', () => {
      it.each([0, 1234])('reports the size of %d bytes', async (size) => {
        await put(randomBytes(size));
        expect(await storage.stat(key)).toMatchObject({ sizeInBytes: size });
      });

      it('names the version that get opens, which is another one after the object was written again', async () => {
        const version = async () => {
          const { body, version: opened } = await storage.get(key);
          body.destroy();
          expect((await storage.stat(key)).version).toBe(opened);
          return opened;
        };
        await put(Buffer.from('first'));
        const first = await version();
        expect(await version()).toBe(first);
        await put(Buffer.from('other'));
        expect(await version()).not.toBe(first);
      });

      it('rejects an unknown key', async () => {
        await put(Buffer.from('x'));
        for (const at of [`${prefix}unknown`, `${prefix}folder`, `${key}/more`]) {
          await expect(storage.stat(at)).rejects.toBeInstanceOf(ObjectNotFoundError);
        }
      });
    });

    describe('delete', () => {
      it('deletes one object, and again without complaint', async () => {
        const other = `${prefix}folder/other`;
        await put(Buffer.from('x'));
        await put(Buffer.from('y'), other);
        await storage.delete(key);
        await storage.delete(key);
        await expectNothingAt(key);
        expect(await keysBelow(prefix)).toEqual([other]);
      });

      it('does nothing for a key that was never stored', async () => {
        await storage.delete(key);
        await put(Buffer.from('x'));
        await storage.delete(`${key}/more`);
        expect(await keysBelow(prefix)).toEqual([key]);
      });

      it('goes together with concurrent puts beside it', async () => {
        for (let round = 0; round < 20; round++) {
          await put(Buffer.from('old'));
          await Promise.all([storage.delete(key), put(Buffer.from('new'), `${prefix}folder/${round}`)]);
        }
        expect(await keysBelow(prefix)).toHaveLength(20);
      });
    });

    describe('list', () => {
      it('finds objects by prefix', async () => {
        const keys = ['a/1', 'a/2', 'a/b/c/3', 'ab/4', 'b'].map((end) => prefix + end);
        for (const at of keys) {
          await put(Buffer.from(at), at);
        }
        const endings = async (start: string) =>
          (await keysBelow(prefix + start)).map((found) => found.slice(prefix.length));
        expect(await endings('')).toEqual(['a/1', 'a/2', 'a/b/c/3', 'ab/4', 'b']);
        expect(await endings('a')).toEqual(['a/1', 'a/2', 'a/b/c/3', 'ab/4']);
        expect(await endings('a/')).toEqual(['a/1', 'a/2', 'a/b/c/3']);
        expect(await endings('a/b')).toEqual(['a/b/c/3']);
        expect(await endings('a/1')).toEqual(['a/1']);
        expect(await endings('a/1/')).toEqual([]);
        expect(await endings('unknown/')).toEqual([]);
        expect(await keysBelow('')).toEqual(expect.arrayContaining(keys));
      });

      it('reports size and time', async () => {
        await put(randomBytes(1234));
        const [object] = await collect(storage.list(prefix));
        expect(object).toMatchObject({ key, sizeInBytes: 1234 });
        expect(Math.abs(Date.now() - object!.modifiedAt.getTime())).toBeLessThan(CLOCK_TOLERANCE);
      });
    });
  });
}

/** A stream of one buffer, in pieces as they come from a socket. */
function streamOf(content: Buffer): Readable {
  return Readable.from(chunksOf(content), { objectMode: false });
}

function* chunksOf(content: Buffer): Generator<Buffer> {
  for (let start = 0; start < content.length; start += CHUNK_SIZE) {
    yield content.subarray(start, start + CHUNK_SIZE);
  }
}

/** A stream of random bytes that are never in memory together, and the hash of them once it is read. */
function randomStream(size: number): { body: Readable; sha256(): string } {
  const hash = createHash('sha256');
  function* chunks(): Generator<Buffer> {
    for (let left = size; left > 0; left -= CHUNK_SIZE) {
      const chunk = randomBytes(Math.min(left, CHUNK_SIZE));
      hash.update(chunk);
      yield chunk;
    }
  }
  return { body: Readable.from(chunks(), { objectMode: false }), sha256: () => hash.digest('hex') };
}

/** A stream that delivers some bytes, then is destroyed like the body of an aborted request. */
function failingStream(size: number, error?: Error): Readable {
  let left = size;
  return new Readable({
    read() {
      if (left > 0) {
        left -= CHUNK_SIZE;
        this.push(randomBytes(CHUNK_SIZE));
      } else {
        // What has been delivered must reach the storage first.
        setTimeout(() => this.destroy(error), 20);
      }
    },
  });
}

async function sha256(body: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of body) {
    hash.update(chunk as Buffer);
  }
  return hash.digest('hex');
}

async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const collected: T[] = [];
  for await (const item of items) {
    collected.push(item);
  }
  return collected;
}
