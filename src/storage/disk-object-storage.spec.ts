import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describeObjectStorage } from '../../test/storage/object-storage.contract.js';
import { DiskObjectStorage } from './disk-object-storage.js';

describeObjectStorage('DiskObjectStorage', async () => {
  const root = await createFolder();
  return { storage: new DiskObjectStorage(root), dispose: () => rm(root, { recursive: true }) };
});

describe('DiskObjectStorage on its disk', () => {
  const HOUR = 3_600_000;
  let root: string;
  let storage: DiskObjectStorage;

  beforeEach(async () => {
    root = await createFolder();
    storage = new DiskObjectStorage(join(root, 'files'));
  });
  afterEach(() => rm(root, { recursive: true }));

  const put = (key: string, content = 'content') => storage.put(key, Readable.from([content]));
  const read = async (key: string) => (await buffer((await storage.get(key)).body)).toString();
  const folder = (...names: string[]) => join(root, 'files', ...names);
  const namesIn = (...names: string[]) => readdir(folder(...names)).catch(() => []);
  const setAge = (path: string, milliseconds: number) => {
    const time = new Date(Date.now() - milliseconds);
    return utimes(path, time, time);
  };

  it.each(
    withStart([
      '',
      '/',
      '/etc/passwd',
      '.',
      '..',
      '../escape',
      'a/../../escape',
      'a/./b',
      'a//b',
      'a/',
      'a\\b',
      'a b',
      'ä',
      'a\0b',
      'a\n',
      'a'.repeat(256),
      'a/'.repeat(512) + 'a',
    ]),
  )('refuses the key %j everywhere', async (_start, key) => {
    await expect(put(key)).rejects.toThrow(TypeError);
    await expect(storage.get(key)).rejects.toThrow(TypeError);
    await expect(storage.getRange(key, { start: 0, length: 1 })).rejects.toThrow(TypeError);
    await expect(storage.stat(key)).rejects.toThrow(TypeError);
    await expect(storage.delete(key)).rejects.toThrow(TypeError);
    expect(await readdir(root)).toEqual([]);
  });

  it.each(withStart(['a', '.hidden', '...', 'a/..b/c.', '-_.', 'a'.repeat(255)]))(
    'takes the key %j',
    async (_start, key) => {
      await put(key);
      expect(await read(key)).toBe('content');
    },
  );

  it.each(['/', '../', 'a//', 'a b'])('refuses the prefix %j', async (prefix) => {
    await expect(storage.list(prefix).next()).rejects.toThrow(TypeError);
  });

  it('lists nothing before anything was stored', async () => {
    expect(await storage.list('').next()).toMatchObject({ done: true });
    expect(await storage.removeAbandoned(new Date())).toBe(0);
  });

  it('keeps its files to the owner', async () => {
    await put('a/b');
    for (const path of ['', 'objects', 'objects/a', 'incoming']) {
      expect((await stat(folder(path))).mode & 0o777).toBe(0o700);
    }
    expect((await stat(folder('objects/a/b'))).mode & 0o777).toBe(0o600);
  });

  it('leaves nothing but objects behind', async () => {
    await put('a/b/c');
    await put('a/d');
    await storage.delete('a/b/c');
    const failing = Readable.from(['x']);
    failing.destroy(new Error('source failed'));
    await expect(storage.put('e', failing)).rejects.toThrow('source failed');

    expect((await namesIn()).sort()).toEqual(['incoming', 'objects']);
    expect(await namesIn('objects')).toEqual(['a']);
    expect(await namesIn('objects', 'a')).toEqual(['d']);
    expect(await namesIn('incoming')).toEqual([]);
  });

  it('lets a reader finish with what it opened', async () => {
    const old = 'old'.repeat(100_000);
    await put('a', old);
    const { body } = await storage.get('a');
    await put('a', 'new');
    await storage.delete('a');
    expect((await buffer(body)).toString()).toBe(old);
  });

  it('refuses a body that was read before', async () => {
    const body = Readable.from(['x']);
    await buffer(body);
    await expect(storage.put('a', body)).rejects.toThrow(TypeError);
  });

  it('hands on the error of the file system and destroys the body', async () => {
    await writeFile(folder(), 'a file where a folder is needed');
    const body = Readable.from(['x']);
    await expect(storage.put('a', body)).rejects.toMatchObject({ code: 'ENOTDIR' });
    expect(body.destroyed).toBe(true);
    await expect(storage.checkWritable()).rejects.toMatchObject({ code: 'ENOTDIR' });
  });

  it('finds an object again after the process was replaced', async () => {
    await put('a');
    storage = new DiskObjectStorage(folder());
    expect(await read('a')).toBe('content');
  });

  describe('after the process was killed', () => {
    beforeEach(() => mkdir(folder('incoming'), { recursive: true }));

    it('shows nothing of a partial write, and removes it by age', async () => {
      const old = folder('incoming', randomUUID());
      const young = folder('incoming', randomUUID());
      await writeFile(old, 'partial');
      await writeFile(young, 'partial');
      await setAge(old, 2 * HOUR);

      expect(await storage.list('').next()).toMatchObject({ done: true });
      expect(await storage.removeAbandoned(new Date(Date.now() - HOUR))).toBe(1);
      expect(await namesIn('incoming')).toEqual([young.slice(folder('incoming').length + 1)]);
      expect(await storage.removeAbandoned(new Date(Date.now() - HOUR))).toBe(0);
    });

    it('keeps objects, however old', async () => {
      await put('a');
      await setAge(folder('objects', 'a'), 2 * HOUR);
      await storage.removeAbandoned(new Date(Date.now() - HOUR));
      expect(await read('a')).toBe('content');
    });
  });
});

function createFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), 'slipway-storage-'));
}

/** Names a test by the first characters of its value. */
function withStart(values: string[]): [string, string][] {
  return values.map((value) => [value.slice(0, 20), value]);
}
