import { Readable } from 'node:stream';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import type { JobLogDto } from './job-log.dto.js';
import { JobLogsQueries } from './job-logs.queries.js';
import { ArchiveWriter } from './log-archive.js';

/** The queue of finished logs. */
const ARCHIVE: QueueDefinition = {
  name: 'job-logs',
  retryLimit: 10,
  retryDelay: 5,
  retryDelayMax: 3600,
  expireInSeconds: 300,
  runsWhenSuspended: true,
};

/** Moves finished logs to storage: one compressed object each. */
@Injectable()
export class JobLogArchive implements OnModuleInit {
  constructor(
    private readonly queries: JobLogsQueries,
    private readonly queue: QueueService,
    private readonly blobs: BlobsService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<{ jobId: string }>(ARCHIVE, ({ jobId }) => this.archive(jobId));
  }

  /** Asks for the log of a job to be moved, after the running transaction, which ends the job. */
  request(jobId: string, organizationId: string): Promise<void> {
    return this.queue.send(ARCHIVE, organizationId, { jobId });
  }

  /**
   * Adds a sentence of the server to the log of a job that has ended, and lets the log move again. Does nothing when it moved
   * days ago: only storage has its lines then.
   */
  addNote(jobId: string, note: string): Promise<void> {
    return transaction(async () => {
      await this.queries.begin(jobId);
      const log = await this.queries.lock(jobId);
      if (log === null || !(await this.queries.hasChunks(jobId, log))) return;
      await this.queries.add(jobId, log, [note], { ...log, lastNumber: log.lastNumber + 1 });
      await this.queries.setUnmoved(jobId);
      await this.request(jobId, await this.queries.organizationOf(jobId));
    });
  }

  /** Moves a log. Harmless to repeat: chunks go later, with all those of their day. */
  async archive(jobId: string): Promise<void> {
    const log = await this.queries.findFinished(jobId);
    if (log === null) return;
    const archive = new ArchiveWriter();
    // Compressed, it is small enough for the memory; the storage may be slow.
    const members = await Array.fromAsync(archive.write(this.chunksOf(jobId, log.slot)));
    const { lastNumber } = archive;
    if (lastNumber === 0) {
      await transaction(async () => {
        if (await this.queries.lockUnmoved(jobId, lastNumber)) await this.queries.setArchived(jobId, null);
      });
      return;
    }
    const staged = await this.blobs.stage(Readable.from(members));
    const kept = await transaction(async () => {
      // It may have been deleted, moved or continued in the meantime: a blob must not be kept then, because its bytes
      // are discarded.
      if (!(await this.queries.lockUnmoved(jobId, lastNumber))) return null;
      const blobId = await this.blobs.keep(log.organizationId, staged);
      await this.queries.setArchived(jobId, { blobId, ...archive.index });
      return blobId;
    });
    await this.blobs.discardUnless(kept, staged);
  }

  private async *chunksOf(jobId: string, slot: number): AsyncGenerator<{ chunk: JobLogDto; json: string }> {
    let last = 0;
    for (;;) {
      const page = await this.queries.chunks(jobId, slot, last);
      if (page.length === 0) return;
      for (const chunk of page) yield { chunk, json: JSON.stringify(chunk) };
      last = page.at(-1)?.number ?? last;
    }
  }
}
