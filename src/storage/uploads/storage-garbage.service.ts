import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { BlobsService, type UnownedObject } from '../blobs/blobs.service.js';
import { ObjectStorage } from '../object-storage.js';
import type { StaleUpload } from './stale-uploads.queries.js';
import { StaleUploadsService } from './stale-uploads.service.js';
import { UploadPart } from './upload-part.entity.js';

/** Garbage that killed processes and aborted uploads left in the storage. */
export interface StorageGarbage {
  /** How many objects were being written when their process ended. */
  readonly abandonedWrites: number;
  readonly staleUploads: readonly StaleUpload[];
  /** Objects that belong to no blob and to no upload. */
  readonly orphans: readonly UnownedObject[];
}

/** Finds and removes what no row of the database refers to. */
@Injectable()
export class StorageGarbageService {
  constructor(
    @InjectRepository(UploadPart) private readonly parts: Repository<UploadPart>,
    private readonly storage: ObjectStorage,
    private readonly blobs: BlobsService,
    private readonly uploads: StaleUploadsService,
  ) {}

  /** @param olderThan finds only what was last changed before this time; it must lie before requests in progress began */
  async find(olderThan: Date): Promise<StorageGarbage> {
    return {
      abandonedWrites: await this.storage.countAbandoned(olderThan),
      staleUploads: await this.uploads.list(olderThan),
      orphans: await this.listOrphans(olderThan),
    };
  }

  /** As `find`, and removes what it finds. */
  async remove(olderThan: Date): Promise<StorageGarbage> {
    const abandonedWrites = await this.storage.removeAbandoned(olderThan);
    const staleUploads = await this.uploads.list(olderThan);
    // Rows first: if the process ends in between, the parts are orphans, which the next run finds.
    await this.uploads.delete(staleUploads);
    const orphans = await this.listOrphans(olderThan);
    await this.discard(orphans);
    return { abandonedWrites, staleUploads, orphans };
  }

  /** Removes orphans that `survey` has found. */
  async discard(orphans: readonly UnownedObject[]): Promise<void> {
    for (const { id } of orphans) await this.blobs.discardUnless(null, { id });
  }

  /** The orphans, and how many objects of that age belong to something. */
  async survey(olderThan: Date): Promise<{ orphans: UnownedObject[]; owned: number }> {
    const orphans: UnownedObject[] = [];
    let owned = 0;
    for await (const object of this.blobs.listUnowned(olderThan, () => owned++)) {
      if (await this.parts.existsBy({ id: object.id })) owned++;
      else orphans.push(object);
    }
    return { orphans, owned };
  }

  private async listOrphans(olderThan: Date): Promise<UnownedObject[]> {
    return (await this.survey(olderThan)).orphans;
  }
}
