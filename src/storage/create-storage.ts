import { join } from 'node:path';
import type { Config } from '../config/config.js';
import type { StorageDriver } from '../config/groups/storage-config.js';
import { DiskObjectStorage } from './disk-object-storage.js';
import { FallbackObjectStorage } from './migration/fallback-object-storage.js';
import type { ObjectStorage } from './object-storage.js';
import type { StorageFailures } from './storage-failures.js';
import { WatchedObjectStorage } from './watched-object-storage.js';

/** The storage of `STORAGE`, in front of that of `STORAGE_FALLBACK` if there is one. */
export async function createStorage(config: Config, failures: StorageFailures): Promise<ObjectStorage> {
  const { driver, fallback } = config.storage;
  const storage = await createDriver(driver, config, failures);
  if (fallback === null) return storage;
  return new FallbackObjectStorage(storage, await createDriver(fallback, config, failures));
}

/** One storage. */
export async function createDriver(
  driver: StorageDriver,
  { storage, s3 }: Config,
  failures: StorageFailures,
): Promise<ObjectStorage> {
  switch (driver) {
    case 'disk':
      return new WatchedObjectStorage(new DiskObjectStorage(join(storage.dataDir, 'storage')), failures);
    case 's3': {
      // The SDK costs time and memory, which disk storage does not need.
      const { S3ObjectStorage } = await import('./s3/s3-object-storage.js');
      return new S3ObjectStorage(s3, failures);
    }
  }
}
