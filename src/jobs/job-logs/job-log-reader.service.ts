import { Injectable } from '@nestjs/common';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { type CachePart, JobLogCache, SharedWork } from './job-log-cache.js';
import { JobLogsQueries, type LogLocation } from './job-logs.queries.js';
import { membersOfArray } from './log-archive.js';
import { RenderedLog } from './rendered-log.js';

/** How often a log is looked for again that moves between two statements. */
const ATTEMPTS = 5;

/**
 * Reads whole logs. Each process renders a log once, however many readers there are, and a growing one only from where it
 * ended before; a long one in storage is read for each reader, piece by piece. Read the job first: then the log is never older than the status.
 */
@Injectable()
export class JobLogReader {
  private readonly logs: CachePart<RenderedLog>;
  private readonly reading = new SharedWork<RenderedLog>();

  constructor(
    private readonly queries: JobLogsQueries,
    private readonly blobs: BlobsService,
    cache: JobLogCache,
  ) {
    this.logs = cache.part('rendered');
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
    const running = this.reading.of(jobId);
    if (running !== undefined) {
      const log = await running;
      if (log.lastNumber >= location.lastNumber) return log;
      return this.upTo(jobId, location);
    }
    // One that is not kept has been in storage before, and is read from the beginning.
    const kept = known === undefined || known.length === null ? RenderedLog.EMPTY : known;
    return this.reading.begin(jobId, () => this.load(jobId, location, kept));
  }

  private async load(jobId: string, location: LogLocation, known: RenderedLog): Promise<RenderedLog> {
    const { blobId, lastNumber } = location;
    const log =
      blobId === null
        ? await this.withChunks(jobId, location, known)
        : await RenderedLog.fromArchive(lastNumber, () => this.archived(blobId));
    if (log.lastNumber >= lastNumber) this.logs.set(jobId, log);
    return log;
  }

  private async *archived(blobId: string): AsyncGenerator<Buffer> {
    yield* membersOfArray(await this.blobs.open({ id: blobId }));
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
