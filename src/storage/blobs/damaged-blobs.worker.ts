import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '../../common/background/background-loop.js';
import { ObjectStorage } from '../object-storage.js';
import { ObjectNotFoundError, toStorageFailure } from '../storage-errors.js';
import { BlobChecksService } from './blob-checks.service.js';
import { BlobDamageQueries, type DamagedBlob } from './blob-damage.queries.js';
import { keyOf } from './blobs.service.js';
import { MAX_VERIFIED_BY_REQUEST } from './scrub-queue.js';

/** Milliseconds between two rounds. */
const REST = 30_000;
/** Blobs of one round. */
const MAX_BLOBS = 1000;

/**
 * Notices soon that a damaged file is right again, because it was restored or the storage has recovered. It reads those whose
 * object is another one than a round ago, and during the first hour also small ones. The scrubber reads all of them later.
 */
@Injectable()
export class DamagedBlobsWorker extends BackgroundLoop {
  /** The version of the object of each blob when it was read last; `null`: there was none. */
  private versions = new Map<string, string | null>();

  constructor(
    private readonly queries: BlobDamageQueries,
    private readonly checks: BlobChecksService,
    private readonly storage: ObjectStorage,
  ) {
    super();
  }

  protected override async round(stopping: AbortSignal): Promise<number> {
    const versions = new Map<string, string | null>();
    for (const blob of await this.queries.listDamaged(MAX_BLOBS)) {
      if (stopping.aborted) break;
      const former = this.versions.get(blob.id);
      const version = await this.check(blob, former).catch((error: unknown) => {
        // One that cannot be read must not keep the others waiting.
        if (toStorageFailure(error) === null) throw error;
        this.logger.warn({ err: error, blobId: blob.id }, 'A damaged file cannot be read');
        return former;
      });
      if (version !== undefined) versions.set(blob.id, version);
    }
    this.versions = versions;
    return REST;
  }

  /** @returns the version that is known to be damaged, or was read */
  private async check(blob: DamagedBlob, former: string | null | undefined): Promise<string | null> {
    const version = await this.versionOf(blob);
    const isRead = version !== former || (blob.isRecent && blob.sizeInBytes <= MAX_VERIFIED_BY_REQUEST);
    if (version !== null && isRead) await this.checks.verifyDamaged(blob);
    return version;
  }

  private async versionOf({ id }: DamagedBlob): Promise<string | null> {
    try {
      return (await this.storage.stat(keyOf(id))).version;
    } catch (error) {
      if (error instanceof ObjectNotFoundError) return null;
      throw error;
    }
  }
}
