import type { ObjectStorage, StorageSpace } from './object-storage.js';
import { StorageFailures } from './storage-failures.js';
import { WatchedObjectStorage } from './watched-object-storage.js';

describe('WatchedObjectStorage', () => {
  const space: StorageSpace = { freeBytes: 1, totalBytes: 2, freeInodes: 3, totalInodes: 4 };

  it('reads the free space of a disk that hangs once, until the disk responds', async () => {
    let reads = 0;
    let hanging = Promise.withResolvers<StorageSpace>();
    const disk = { space: () => (reads++, hanging.promise) } as unknown as ObjectStorage;
    const storage = new WatchedObjectStorage(disk, new StorageFailures());
    const waiting = [storage.space(), storage.space(), storage.space()];
    expect(reads).toBe(1);
    hanging.resolve(space);
    expect(await Promise.all(waiting)).toEqual([space, space, space]);

    hanging = Promise.withResolvers();
    const failing = [storage.space(), storage.space()];
    hanging.reject(new Error('The disk is away.'));
    const results = await Promise.allSettled(failing);
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(reads).toBe(2);
  });
});
