import { Global, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { Config } from '../config/config.js';
import { createStorage } from './create-storage.js';
import { ObjectStorage } from './object-storage.js';
import { DownloadRedirects } from './redirects/download-redirects.service.js';
import { StorageFailures } from './storage-failures.js';
import { StorageReserve } from './storage-reserve.js';

/** Makes the configured storage injectable as `ObjectStorage` everywhere. The start fails when it cannot be written. */
@Global()
@Module({
  providers: [
    StorageFailures,
    { provide: ObjectStorage, inject: [Config, StorageFailures], useFactory: createStorage },
    StorageReserve,
    DownloadRedirects,
  ],
  exports: [ObjectStorage, StorageFailures, StorageReserve, DownloadRedirects],
})
export class StorageModule implements OnApplicationBootstrap {
  constructor(private readonly storage: ObjectStorage) {}

  async onApplicationBootstrap(): Promise<void> {
    await this.storage.checkWritable();
  }
}
