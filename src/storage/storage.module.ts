import { join } from 'node:path';
import { Global, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../config/config.js';
import { DiskObjectStorage } from './disk-object-storage.js';
import { ObjectStorage } from './object-storage.js';
import { StorageFailures } from './storage-failures.js';
import { StorageReserve } from './storage-reserve.js';
import { WatchedObjectStorage } from './watched-object-storage.js';

/** Makes the configured storage injectable as `ObjectStorage` everywhere. The start fails when it cannot be written. */
@Global()
@Module({
  providers: [
    StorageFailures,
    { provide: ObjectStorage, inject: [Config, StorageFailures], useFactory: createStorage },
    StorageReserve,
  ],
  exports: [ObjectStorage, StorageFailures, StorageReserve],
})
export class StorageModule implements OnApplicationBootstrap {
  constructor(private readonly storage: ObjectStorage) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.storage.checkWritable();
  }
}

async function createStorage({ storage, s3 }: Config, failures: StorageFailures): Promise<ObjectStorage> {
  switch (storage.driver) {
    case 'disk':
      return new WatchedObjectStorage(new DiskObjectStorage(join(storage.dataDir, 'storage')), failures);
    case 's3': {
      // The SDK costs time and memory, which disk storage does not need.
      const { S3ObjectStorage } = await import('./s3/s3-object-storage.js');
      return new S3ObjectStorage(s3, failures);
    }
  }
}
