import { join } from 'node:path';
import { Global, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../config/config.js';
import { DiskObjectStorage } from './disk-object-storage.js';
import { ObjectStorage } from './object-storage.js';
import { StorageReserve } from './storage-reserve.js';
import { WatchedObjectStorage } from './watched-object-storage.js';

/** Makes the configured storage injectable as `ObjectStorage` everywhere. The start fails when it cannot be written. */
@Global()
@Module({
  providers: [{ provide: ObjectStorage, inject: [Config], useFactory: createStorage }, StorageReserve],
  exports: [ObjectStorage, StorageReserve],
})
export class StorageModule implements OnApplicationBootstrap {
  constructor(private readonly storage: ObjectStorage) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.storage.checkWritable();
  }
}

function createStorage({ storage }: Config): ObjectStorage {
  switch (storage.driver) {
    case 'disk':
      return new WatchedObjectStorage(new DiskObjectStorage(join(storage.dataDir, 'storage')));
    default:
      throw new Error(`Unknown storage driver "${storage.driver}".`);
  }
}
