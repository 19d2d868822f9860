import { Injectable } from '@nestjs/common';
import { orAfter } from '../common/background/or-after.js';
import { StorageFailure } from '../common/errors/storage-failure.js';
import { ObjectStorage } from '../storage/object-storage.js';
import { toStorageFailure } from '../storage/storage-errors.js';
import { StorageFailures } from '../storage/storage-failures.js';

/** How long a result is used, in milliseconds: anyone may ask, and each check writes to the storage. */
const MAX_AGE = 10_000;
/** How long a check may take, in milliseconds. A slower storage counts as unavailable. */
const TIMEOUT = 5000;

/** What a check results in that takes too long. */
const LATE = true;

/** Whether the storage of files can be written now. */
@Injectable()
export class StorageReadiness {
  private failure: StorageFailure | null = null;
  private validUntil = 0;
  private checking: Promise<void> | null = null;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly failures: StorageFailures,
  ) {}

  /** @throws StorageFailure when it cannot */
  async assertWritable(): Promise<void> {
    if (performance.now() >= this.validUntil) {
      const checking = (this.checking ??= this.begin());
      if (await orAfter(checking, TIMEOUT, LATE)) {
        // The next one tries again, in case that this check never ends.
        if (this.checking === checking) this.checking = null;
        const message = `The storage did not respond within ${TIMEOUT} ms.`;
        throw this.failures.count(new StorageFailure(message, 'unavailable'));
      }
    }
    if (this.failure !== null) throw this.failure;
  }

  /** A check that ends after a newer one has begun changes nothing. */
  private begin(): Promise<void> {
    const checking = this.check().then((failure) => {
      if (this.checking !== checking) return;
      this.checking = null;
      this.failure = failure;
      this.validUntil = performance.now() + MAX_AGE;
    });
    return checking;
  }

  /** @returns why the storage cannot be written; `null`: it can */
  private async check(): Promise<StorageFailure | null> {
    try {
      await this.storage.checkWritable();
      return null;
    } catch (error) {
      const failure =
        toStorageFailure(error) ??
        new StorageFailure('The storage cannot be written.', 'unavailable', { cause: error });
      return this.failures.count(failure);
    }
  }
}
