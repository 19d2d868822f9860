import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describeObjectStorage } from '../../../test/storage/object-storage.contract.js';
import { DiskObjectStorage } from '../disk-object-storage.js';
import { ObjectNotFoundError } from '../storage-errors.js';
import { FallbackObjectStorage } from './fallback-object-storage.js';

async function createPair() {
  const folder = await mkdtemp(join(tmpdir(), 'slipway-fallback-'));
  const [first, second] = ['first', 'second'].map((name) => new DiskObjectStorage(join(folder, name)));
  return {
    first: first!,
    second: second!,
    both: new FallbackObjectStorage(first!, second!),
    dispose: () => rm(folder, { recursive: true }),
  };
}

describeObjectStorage('FallbackObjectStorage', async () => {
  const { both, dispose } = await createPair();
  return { storage: both, dispose };
});

describe('FallbackObjectStorage on two storages', () => {
  let pair: Awaited<ReturnType<typeof createPair>>;
  beforeEach(async () => {
    pair = await createPair();
  });
  afterEach(() => pair.dispose());

  const put = (storage: DiskObjectStorage, key: string, content: string) =>
    storage.put(key, Readable.from([content]));
  const keys = async (storage: DiskObjectStorage | FallbackObjectStorage) => {
    const found: string[] = [];
    for await (const { key } of storage.list('')) found.push(key);
    return found.sort();
  };

  it('stores in the first, and reads from the second what the first does not have', async () => {
    const { first, second, both } = pair;
    await both.put('new', Readable.from(['new']));
    expect([await keys(first), await keys(second)]).toEqual([['new'], []]);
    await put(second, 'old', 'content');
    expect(await text((await both.get('old')).body)).toBe('content');
    expect(await text(await both.getRange('old', { start: 3, length: 4 }))).toBe('tent');
    expect(await both.stat('old')).toEqual(await second.stat('old'));
    expect(await both.digest('old')).toEqual(await second.digest('old'));
  });

  it('prefers the first', async () => {
    await put(pair.first, 'a', 'first');
    await put(pair.second, 'a', 'second');
    expect(await text((await pair.both.get('a')).body)).toBe('first');
  });

  it('joins objects of both', async () => {
    await put(pair.first, 'a', 'from the first, ');
    await put(pair.second, 'b', 'from the second');
    await pair.both.join('c', ['a', 'b']);
    expect(await text((await pair.first.get('c')).body)).toBe('from the first, from the second');
  });

  it('deletes in both, and lists each once', async () => {
    for (const storage of [pair.first, pair.second]) await put(storage, 'a', 'a');
    await put(pair.second, 'b', 'b');
    expect(await keys(pair.both)).toEqual(['a', 'b']);
    await pair.both.delete('a');
    await pair.both.delete('b');
    expect([...(await keys(pair.first)), ...(await keys(pair.second))]).toEqual([]);
    await expect(pair.both.get('a')).rejects.toBeInstanceOf(ObjectNotFoundError);
  });

  it('calls no object missing when one of the storages fails', async () => {
    const away = new Error('away');
    pair.second.get = () => Promise.reject(away);
    await expect(pair.both.get('a')).rejects.toBe(away);
  });
});
