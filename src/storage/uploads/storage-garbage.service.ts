import { Injectable } from '@nestjs/common';
import { BlobsService, type UnownedObject } from '../../storage/blobs/blobs.service.js';
import { ObjectStorage } from '../../storage/object-storage.js';
import { FileUploadsService, type StaleUpload } from './file-uploads.service.js';

/** What killed processes and clients that gave up have left in storage. */
export interface StorageGarbage {
  /** Partial content that was never stored. */
  readonly abandonedWrites: number;
  readonly staleUploads: readonly StaleUpload[];
  /** Objects that belong to no blob and to no upload. */
  readonly orphans: readonly UnownedObject[];
}

/** Finds and removes what nobody can reach any more. */
@Injectable()
export class StorageCleaningService {
  constructor(
    private readonly storage: ObjectStorage,
    private readonly blobs: BlobsService,
    private readonly uploads: FileUploadsService,
  ) {}

  /** @param olderThan only what was left alone since before this time; requests in progress are younger */
  async find(olderThan: Date): Promise<StorageGarbage> {
    return {
      abandonedWrites: await this.storage.countAbandoned(olderThan),
      staleUploads: await this.uploads.listStale(olderThan),
      orphans: await this.listOrphans(olderThan),
    };
  }

  /** As `find`, and removes what it finds. */
  async remove(olderThan: Date): Promise<StorageGarbage> {
    const abandonedWrites = await this.storage.removeAbandoned(olderThan);
    const staleUploads = await this.uploads.listStale(olderThan);
    // Rows first: should this end half-way, the parts are orphans that the next cleaning finds.
    await this.uploads.forget(staleUploads);
    const orphans = await this.listOrphans(olderThan);
    for (const { id } of orphans) await this.blobs.discardUnless(null, { id });
    return { abandonedWrites, staleUploads, orphans };
  }

  private async listOrphans(olderThan: Date): Promise<UnownedObject[]> {
    const orphans: UnownedObject[] = [];
    for await (const object of this.blobs.listUnowned(olderThan)) {
      if (!(await this.uploads.ownsPart(object.id))) orphans.push(object);
    }
    return orphans;
  }
}
