import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { DiskObjectStorage } from '../disk-object-storage.js';
import { ObjectNotFoundError } from '../storage-errors.js';
import { StorageMigration } from './storage-migration.js';

let folder: string;
let source: DiskObjectStorage;
let target: DiskObjectStorage;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'slipway-migration-'));
  source = new DiskObjectStorage(join(folder, 'source'));
  target = new DiskObjectStorage(join(folder, 'target'));
  for (let i = 0; i < 20; i++) await put(source, `blobs/${i}`, 'x'.repeat(i * 1000));
});
afterEach(() => rm(folder, { recursive: true }));

const put = (storage: DiskObjectStorage, key: string, content: string) =>
  storage.put(key, Readable.from([content]));
const read = async (storage: DiskObjectStorage, key: string) => text((await storage.get(key)).body);
const SUM = 190_000;

async function planned(): Promise<StorageMigration> {
  const migration = new StorageMigration(source, target);
  await migration.plan();
  return migration;
}

it('copies everything, empty objects too, and leaves the source as it is', async () => {
  const migration = await planned();
  expect(migration.missingSum).toEqual({ objects: 20, sizeInBytes: SUM });
  expect(await migration.run()).toEqual({
    copied: { objects: 20, sizeInBytes: SUM },
    skipped: 0,
    failed: [],
  });
  for (let i = 0; i < 20; i++) {
    expect(await read(target, `blobs/${i}`)).toBe(await read(source, `blobs/${i}`));
  }
  expect((await planned()).missingSum).toEqual({ objects: 0, sizeInBytes: 0 });
});

it('goes on where a former run ended', async () => {
  await put(target, 'blobs/7', await read(source, 'blobs/7'));
  const migration = await planned();
  expect(migration.present).toEqual({ objects: 1, sizeInBytes: 7000 });
  expect((await migration.run()).copied).toEqual({ objects: 19, sizeInBytes: SUM - 7000 });
});

it('replaces nothing that the target has, also of what was stored since the plan', async () => {
  await put(target, 'blobs/7', 'repaired');
  const migration = await planned();
  await put(target, 'blobs/8', 'repaired');
  expect(await migration.run()).toMatchObject({ copied: { objects: 18 }, skipped: 1 });
  for (const key of ['blobs/7', 'blobs/8']) expect(await read(target, key)).toBe('repaired');
});

it('leaves objects of others alone', async () => {
  await put(source, 'others/1', 'x');
  expect((await planned()).missingSum.objects).toBe(20);
});

it('ends when nothing can be copied any more', async () => {
  for (let i = 0; i < 200; i++) await put(source, `blobs/more-${i}`, 'x');
  source.get = () => Promise.reject(new Error('away'));
  const { failed } = await (await planned()).run();
  expect(failed.length).toBeGreaterThanOrEqual(100);
  expect(failed.length).toBeLessThan(110);
});

it('does not mind what is deleted meanwhile', async () => {
  const migration = await planned();
  await source.delete('blobs/3');
  expect(await migration.run()).toMatchObject({ copied: { objects: 19 }, skipped: 1, failed: [] });
});

it('reports what fails, and copies the others', async () => {
  const get = source.get.bind(source);
  source.get = (key) => (key === 'blobs/5' ? Promise.reject(new Error('unreadable')) : get(key));
  const migration = await planned();
  expect(await migration.run()).toMatchObject({
    copied: { objects: 19 },
    failed: [{ key: 'blobs/5', error: new Error('unreadable') }],
  });
});

it('keeps no copy that differs from its source', async () => {
  const copy = target.put.bind(target);
  target.put = async (key, body) => {
    const content = await text(body);
    return copy(key, Readable.from([key === 'blobs/5' ? content.replace('x', 'y') : content]));
  };
  const { copied, failed } = await (await planned()).run();
  expect(copied.objects).toBe(19);
  expect(failed).toMatchObject([{ key: 'blobs/5' }]);
  await expect(target.get('blobs/5')).rejects.toBeInstanceOf(ObjectNotFoundError);
});
