import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { StorageFailure } from '../common/errors/storage-failure.js';
import { ObjectStorage } from '../storage/object-storage.js';

/** How long a result is used, in milliseconds: anyone may ask, and each check writes to the storage. */
const MAX_AGE = 10_000;
/** How long a check may take, in milliseconds. A slower storage counts as unavailable. */
const TIMEOUT = 5000;

/** Whether the storage of files can be written now. */
@Injectable()
export class StorageReadiness {
  private failure: StorageFailure | null = null;
  private validUntil = 0;
  private checking: Promise<void> | null = null;

  constructor(private readonly storage: ObjectStorage) {}

  /** @throws StorageFailure when it cannot */
  async assertWritable(): Promise<void> {
    if (performance.now() >= this.validUntil) {
      this.checking ??= this.check().finally(() => (this.checking = null));
      const timer = new AbortController();
      const isLate = sleep(TIMEOUT, true, { signal: timer.signal }).catch(() => false);
      const late = await Promise.race([this.checking.then(() => false), isLate]);
      timer.abort();
      if (late) throw new StorageFailure(`The storage did not respond within ${TIMEOUT} ms.`, 'unavailable');
    }
    if (this.failure !== null) throw this.failure;
  }

  private async check(): Promise<void> {
    try {
      await this.storage.checkWritable();
      this.failure = null;
    } catch (error) {
      this.failure =
        error instanceof StorageFailure
          ? error
          : new StorageFailure('The storage cannot be written.', 'unavailable', { cause: error });
    }
    this.validUntil = performance.now() + MAX_AGE;
  }
}
