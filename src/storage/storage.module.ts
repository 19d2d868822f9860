import { Global, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { StorageFailure } from '../common/errors/storage-failure.js';
import { Config } from '../config/config.js';
import { createStorage } from './create-storage.js';
import { cannotWrite, makeDataDir } from './data-dir.js';
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
  constructor(
    private readonly storage: ObjectStorage,
    private readonly failures: StorageFailures,
    private readonly config: Config,
  ) {}

  /** @throws Error of one sentence, which the start prints */
  async onApplicationBootstrap(): Promise<void> {
    const { dataDir, driver, fallback } = this.config.storage;
    if (driver === 'disk' || fallback === 'disk') await makeDataDir(dataDir);
    try {
      await this.failures.unlogged(() => this.storage.checkWritable());
    } catch (error) {
      throw error instanceof StorageFailure ? error : cannotWrite(dataDir, error);
    }
  }
}
