import { Injectable } from '@nestjs/common';
import { orAfter } from '../common/background/or-after.js';
import { StorageFailure } from '../common/errors/storage-failure.js';
import { ObjectStorage } from '../storage/object-storage.js';
import { toStorageFailure } from '../storage/storage-errors.js';
import { StorageFailures } from '../storage/storage-failures.js';

/** How long a result is used, in milliseconds: anyone may ask, and each check writes to the storage. */
const MAX_AGE = 10_000;
/** How long a request waits for a check, in milliseconds. Then the result of the one before counts. */
const PATIENCE = 5000;
/** Milliseconds after which a check that neither fails nor ends counts as failed: a slow disk ends sooner. */
const SILENT_FOR = 60_000;

/** Whether the storage of files can be written now. */
@Injectable()
export class StorageReadiness {
  private failure: StorageFailure | null = null;
  private validUntil = 0;
  private checking: Promise<void> | null = null;
  private begunAt = 0;

  constructor(
    private readonly storage: ObjectStorage,
    private readonly failures: StorageFailures,
  ) {}

  /** @throws StorageFailure when it cannot */
  async assertWritable(): Promise<void> {
    if (performance.now() >= this.validUntil) {
      const checking = (this.checking ??= this.begin());
      const isLate = await orAfter(
        checking.then(() => false),
        PATIENCE,
        true,
      );
      if (isLate && this.checking === checking && performance.now() - this.begunAt >= SILENT_FOR) {
        const message = `The storage has not responded for ${SILENT_FOR / 1000} seconds.`;
        this.failure = this.failures.count(new StorageFailure(message, 'unavailable'));
        // The next one tries again, in case that this check never ends.
        this.checking = null;
      }
    }
    if (this.failure !== null) throw this.failure;
  }

  /** A check that ends after a newer one has begun changes nothing. */
  private begin(): Promise<void> {
    this.begunAt = performance.now();
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
