import { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import { type QueueDefinition, QueueService } from '../../queue/queue.service.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { finalJobStatuses } from '../jobs/job.entity.js';
import type { JobLogDto } from './job-log.dto.js';
import { readChunks } from './job-log-reader.service.js';

/** The queue of finished logs. */
const ARCHIVE: QueueDefinition = {
  name: 'job-logs',
  retryLimit: 10,
  retryDelay: 5,
  retryDelayMax: 3600,
  expireInSeconds: 300,
};

interface FinishedLog {
  readonly slot: number;
  readonly organizationId: string;
}

/** Moves finished logs to storage: one compressed object each. */
@Injectable()
export class JobLogArchive implements OnModuleInit {
  constructor(
    private readonly queue: QueueService,
    private readonly blobs: BlobsService,
  ) {}

  onModuleInit(): void {
    this.queue.handle<{ jobId: string }>(ARCHIVE, ({ jobId }) => this.archive(jobId));
  }

  /** Asks for the log of a job to be moved, after the running transaction, which ends the job. */
  request(jobId: string): Promise<void> {
    return this.queue.send(ARCHIVE, { jobId });
  }

  /** Moves a log. Harmless to repeat: chunks go later, with all those of their day. */
  async archive(jobId: string): Promise<void> {
    const log = await findFinished(jobId);
    if (log === null) return;
    const chunks: JobLogDto[] = [];
    for (let page: JobLogDto[]; ; chunks.push(...page)) {
      page = await readChunks(jobId, log.slot, chunks.at(-1)?.number ?? 0);
      if (page.length === 0) break;
    }
    if (chunks.length === 0) {
      await setArchived(jobId, null);
      return;
    }
    const bytes = await promisify(gzip)(JSON.stringify(chunks));
    const staged = await this.blobs.stage(Readable.from([bytes]));
    const kept = await transaction(async () => {
      // It may have been deleted or moved meanwhile: a blob must not be kept then, because its bytes are discarded.
      const unmoved = await sql('SELECT FROM job_logs WHERE id = $1 AND archived_at IS NULL FOR UPDATE', [
        jobId,
      ]);
      if (unmoved.length === 0) return null;
      const blobId = await this.blobs.keep(log.organizationId, staged);
      await setArchived(jobId, blobId);
      return blobId;
    });
    await this.blobs.discardUnless(kept, staged);
  }
}

async function findFinished(jobId: string): Promise<FinishedLog | null> {
  const [found] = await sql<FinishedLog>(
    `SELECT log.slot, job.organization_id AS "organizationId"
       FROM job_logs AS log JOIN jobs AS job ON job.id = log.id
      WHERE log.id = $1 AND log.archived_at IS NULL AND job.status = ANY($2)`,
    [jobId, finalJobStatuses],
  );
  return found ?? null;
}

async function setArchived(jobId: string, blobId: string | null): Promise<void> {
  await sql(
    'UPDATE job_logs SET blob_id = $2, archived_at = now(), sealed_masks = NULL WHERE id = $1 AND archived_at IS NULL',
    [jobId, blobId],
  );
}
