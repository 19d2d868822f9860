import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, type Repository } from 'typeorm';
import { type StaleUpload, StaleUploadsQueries } from './stale-uploads.queries.js';
import { Upload } from './upload.entity.js';

/** Uploads that one transaction deletes. */
const BATCH = 100;

/** Finds and deletes uploads that receive no more parts. The rows of their parts go with them, and then the objects. */
@Injectable()
export class StaleUploadsService {
  constructor(
    @InjectRepository(Upload) private readonly uploads: Repository<Upload>,
    private readonly queries: StaleUploadsQueries,
  ) {}

  /** Uploads without activity since the given time that are not completed, or whose parts were left behind. */
  list(olderThan: Date): Promise<StaleUpload[]> {
    return this.queries.list(olderThan);
  }

  /**
   * Deletes stale uploads, except those that are receiving a part.
   *
   * @returns how many it deleted
   */
  async expire(olderThan: Date): Promise<number> {
    const ids = (await this.queries.list(olderThan)).map(({ id }) => id);
    let expired = 0;
    for (let start = 0; start < ids.length; start += BATCH) {
      expired += await this.queries.delete(ids.slice(start, start + BATCH), olderThan);
    }
    return expired;
  }

  async delete(uploads: readonly StaleUpload[]): Promise<void> {
    await this.uploads.delete({ id: In(uploads.map(({ id }) => id)) });
  }
}
