import { gunzip } from 'node:zlib';
import { promisify } from 'node:util';
import { buffer } from 'node:stream/consumers';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../../config/config.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import type { JobLogDto } from './job-log.dto.js';
import { JobLogsQueries, type LogLocation } from './job-logs.queries.js';
import { RenderedLog } from './rendered-log.js';

/** How often a log is looked for again that moves between two statements. */
const ATTEMPTS = 5;

/**
 * Reads logs. Each process renders a log once, however many readers there are, and a growing one only from where it ended
 * before. Read the job first: then the log is never older than the status.
 */
@Injectable()
export class JobLogReader {
  private readonly logs: LRUCache<string, RenderedLog>;
  /** What is being read, by job: other readers wait for the same. */
  private readonly reading = new Map<string, Promise<RenderedLog>>();

  constructor(
    private readonly queries: JobLogsQueries,
    private readonly blobs: BlobsService,
    config: Config,
  ) {
    this.logs = new LRUCache({
      maxSize: config.jobs.logCacheBytes,
      sizeCalculation: ({ sizeInBytes }) => sizeInBytes,
    });
  }

  /** The chunks of a job's log, by number; none when it has no log, or it was deleted. */
  async read(jobId: string): Promise<RenderedLog> {
    for (let attempt = 1; ; attempt++) {
      const location = await this.queries.locate(jobId);
      if (location === null || location.lastNumber === 0) {
        this.logs.delete(jobId);
        return RenderedLog.EMPTY;
      }
      const log = await this.upTo(jobId, location);
      // Otherwise the chunks have moved to storage, or were deleted, between the two statements.
      if (log.lastNumber >= location.lastNumber || attempt === ATTEMPTS) return log;
    }
  }

  private async upTo(jobId: string, location: LogLocation): Promise<RenderedLog> {
    const known = this.logs.get(jobId);
    if (known !== undefined && known.lastNumber >= location.lastNumber) return known;
    const running = this.reading.get(jobId);
    if (running !== undefined) {
      const log = await running;
      if (log.lastNumber >= location.lastNumber) return log;
      return this.upTo(jobId, location);
    }
    const work = this.load(jobId, location, known ?? RenderedLog.EMPTY);
    this.reading.set(jobId, work);
    try {
      return await work;
    } finally {
      this.reading.delete(jobId);
    }
  }

  private async load(jobId: string, location: LogLocation, known: RenderedLog): Promise<RenderedLog> {
    const log =
      location.blobId === null
        ? await this.withChunks(jobId, location, known)
        : RenderedLog.EMPTY.with(await this.archived(location.blobId));
    if (log.lastNumber >= location.lastNumber) this.logs.set(jobId, log);
    return log;
  }

  private async archived(blobId: string): Promise<JobLogDto[]> {
    const bytes = await promisify(gunzip)(await buffer(await this.blobs.open({ id: blobId })));
    return JSON.parse(bytes.toString()) as JobLogDto[];
  }

  private async withChunks(
    jobId: string,
    { slot, lastNumber }: LogLocation,
    known: RenderedLog,
  ): Promise<RenderedLog> {
    let log = known;
    while (log.lastNumber < lastNumber) {
      const chunks = await this.queries.chunks(jobId, slot, log.lastNumber);
      if (chunks.length === 0) break;
      log = log.with(chunks);
    }
    return log;
  }
}
