import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { finalJobStatuses } from '../jobs/job.entity.js';
import type { JobLogDto } from './job-log.dto.js';
import { LOG_SLOTS } from './job-log.entity.js';

/** What a write needs of the log. */
export interface LogState {
  readonly slot: number;
  readonly lastNumber: number;
  readonly sizeInBytes: number;
  readonly isFull: boolean;
  readonly sealedTail: string | null;
}

/** Where a log is now. */
export interface LogLocation {
  readonly slot: number;
  readonly lastNumber: number;
  readonly blobId: string | null;
}

/** A log whose job has ended, and that has not moved. */
export interface FinishedLog {
  readonly slot: number;
  readonly organizationId: string;
}

/** Chunks that one statement reads: at most 16 MiB of text. */
const PAGE = 250;
/** Chunks that have the last 500 lines: each has one at least. */
const LAST_CHUNKS = 500;

type ChunkRow = Pick<JobLogDto, 'number' | 'payload'> & { readonly createdAt: Date };

/** SQL of logs and their chunks. */
@Injectable()
export class JobLogsQueries {
  constructor(private readonly sql: Sql) {}

  /** Begins the log of a job in the table of today, unless it has begun. */
  async begin(jobId: string): Promise<void> {
    await this.sql.execute(
      `INSERT INTO job_logs (id, slot) VALUES ($1, (extract(epoch FROM now())::bigint / 86400) % ${LOG_SLOTS})
       ON CONFLICT DO NOTHING`,
      [jobId],
    );
  }

  /** @throws Error when there is no such job */
  async organizationOf(jobId: string): Promise<string> {
    const [job] = await this.sql.query<{ organizationId: string }>(
      'SELECT organization_id AS "organizationId" FROM jobs WHERE id = $1',
      [jobId],
    );
    if (job === undefined) throw new Error(`There is no job ${jobId}.`);
    return job.organizationId;
  }

  /** Locks the log until the transaction ends. @returns `null`: it has not begun */
  async lock(jobId: string): Promise<LogState | null> {
    const [found] = await this.sql.query<LogState>(
      `SELECT slot, last_number AS "lastNumber", size_in_bytes AS "sizeInBytes", is_full AS "isFull",
              sealed_tail AS "sealedTail"
         FROM job_logs WHERE id = $1 FOR UPDATE`,
      [jobId],
    );
    return found ?? null;
  }

  /** Adds chunks after those that a locked log has, and notes its new state. */
  async add(jobId: string, log: LogState, chunks: readonly string[], state: LogState): Promise<void> {
    await this.sql.execute(
      `INSERT INTO job_log_chunks (slot, job_id, number, payload, created_at)
       SELECT $1, $2, $3 + ordinality, payload, clock_timestamp()
         FROM unnest($4::text[]) WITH ORDINALITY AS chunk (payload, ordinality)`,
      [log.slot, jobId, log.lastNumber, chunks],
    );
    await this.sql.execute(
      `UPDATE job_logs SET last_number = $2, size_in_bytes = $3, is_full = $4, sealed_tail = $5 WHERE id = $1`,
      [jobId, state.lastNumber, state.sizeInBytes, state.isFull, state.sealedTail],
    );
  }

  /** @returns `null`: there is no log */
  async locate(jobId: string): Promise<LogLocation | null> {
    const [location] = await this.sql.query<LogLocation>(
      `SELECT slot, last_number AS "lastNumber", blob_id AS "blobId" FROM job_logs WHERE id = $1`,
      [jobId],
    );
    return location ?? null;
  }

  /** Some chunks of a log that has not moved. @param after the number before the first one */
  async chunks(jobId: string, slot: number, after: number): Promise<JobLogDto[]> {
    const rows = await this.sql.query<ChunkRow>(
      `SELECT number, payload, created_at AS "createdAt" FROM job_log_chunks
        WHERE slot = $1 AND job_id = $2 AND number > $3 ORDER BY number LIMIT ${PAGE}`,
      [slot, jobId, after],
    );
    return rows.map((row) => toLogDto(jobId, row));
  }

  /** The last chunks of a log that has not moved, oldest first: all that `readLogEnd` looks at. */
  async lastChunks(jobId: string): Promise<JobLogDto[]> {
    const rows = await this.sql.query<ChunkRow>(
      `SELECT chunk.number, chunk.payload, chunk.created_at AS "createdAt"
         FROM job_logs AS log JOIN job_log_chunks AS chunk ON chunk.slot = log.slot AND chunk.job_id = log.id
        WHERE log.id = $1 ORDER BY chunk.number DESC LIMIT ${LAST_CHUNKS}`,
      [jobId],
    );
    return rows.toReversed().map((row) => toLogDto(jobId, row));
  }

  /** The secrets that a job was given, sealed; `null`: none. */
  async sealedMasks(jobId: string): Promise<string | null> {
    const [log] = await this.sql.query<{ sealed: string | null }>(
      'SELECT sealed_masks AS sealed FROM job_logs WHERE id = $1',
      [jobId],
    );
    return log?.sealed ?? null;
  }

  async setSealedMasks(jobId: string, sealed: string): Promise<void> {
    await this.sql.execute('UPDATE job_logs SET sealed_masks = $2 WHERE id = $1', [jobId, sealed]);
  }

  /** @returns `null`: there is no log, its job runs, or it has moved */
  async findFinished(jobId: string): Promise<FinishedLog | null> {
    const [found] = await this.sql.query<FinishedLog>(
      `SELECT log.slot, job.organization_id AS "organizationId"
         FROM job_logs AS log JOIN jobs AS job ON job.id = log.id
        WHERE log.id = $1 AND log.archived_at IS NULL AND job.status = ANY($2)`,
      [jobId, finalJobStatuses],
    );
    return found ?? null;
  }

  /** Locks a log that has not moved, and still ends with a chunk. @returns whether there is one */
  async lockUnmoved(jobId: string, lastNumber: number): Promise<boolean> {
    const unmoved = await this.sql.query(
      'SELECT FROM job_logs WHERE id = $1 AND last_number = $2 AND archived_at IS NULL FOR UPDATE',
      [jobId, lastNumber],
    );
    return unmoved.length > 0;
  }

  /** Whether a locked log has all its chunks, which are kept until the transaction ends. Those of a moved one go after a day. */
  async hasChunks(jobId: string, { slot, lastNumber }: LogState): Promise<boolean> {
    const [found] = await this.sql.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM job_log_chunks WHERE slot = $1 AND job_id = $2',
      [slot, jobId],
    );
    return found?.count === lastNumber;
  }

  /** The log has to move again. */
  async setUnmoved(jobId: string): Promise<void> {
    await this.sql.execute('UPDATE job_logs SET blob_id = NULL, archived_at = NULL WHERE id = $1', [jobId]);
  }

  /** The log has moved. @param blobId `null`: it was empty */
  async setArchived(jobId: string, blobId: string | null): Promise<void> {
    await this.sql.execute(
      `UPDATE job_logs SET blob_id = $2, archived_at = now(), sealed_masks = NULL
        WHERE id = $1 AND archived_at IS NULL`,
      [jobId, blobId],
    );
  }

  /** @returns `null`: it was not made yet */
  async failureSummary(jobId: string): Promise<string | null> {
    const [log] = await this.sql.query<{ summary: string | null }>(
      'SELECT failure_summary AS summary FROM job_logs WHERE id = $1',
      [jobId],
    );
    return log?.summary ?? null;
  }

  /** Keeps a summary, unless another process was faster. @returns the one that is kept; `null`: there is no log */
  async keepFailureSummary(jobId: string, summary: string): Promise<string | null> {
    const [log] = await this.sql.query<{ summary: string }>(
      `UPDATE job_logs SET failure_summary = coalesce(failure_summary, $2) WHERE id = $1
       RETURNING failure_summary AS summary`,
      [jobId, summary],
    );
    return log?.summary ?? null;
  }
}

function toLogDto(jobId: string, { number, payload, createdAt }: ChunkRow): JobLogDto {
  return { jobId, number, payload, timestamp: createdAt.toISOString() };
}
