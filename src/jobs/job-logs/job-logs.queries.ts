import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { finalJobStatuses } from '../jobs/job.entity.js';
import type { JobLogDto } from './job-log.dto.js';
import { LOG_SLOTS } from './job-log.entity.js';
import type { ArchiveIndex } from './log-archive.js';
import { ATTEMPT_NOTE } from './log-notes.js';
import { MAX_MARK, MAX_MARKS, RUNNER_MARK } from './log-steps.js';

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
  /** Whether it has moved, or was empty when it was to move. */
  readonly isArchived: boolean;
}

/** The index of an archive, and the blob that it is about. */
export interface StoredIndex extends ArchiveIndex {
  readonly blobId: string;
}

/** A log whose job has ended, and that has not moved. */
export interface FinishedLog {
  readonly slot: number;
  readonly organizationId: string;
}

/** Chunks that one statement reads, and a bound of their text in bytes, which the last of them may exceed. */
const PAGE = 1000;
const PAGE_BYTES = 524_288;
/** Chunks whose lines one statement counts. */
const COUNTED_PAGE = 100;
/** Chunks that have the last 500 lines: each has one at least. And a bound of their text, in bytes. */
const LAST_CHUNKS = 500;
const LAST_BYTES = 4_000_000;

/** A chunk without its text. */
export interface CountedChunk {
  readonly number: number;
  readonly lines: number;
  /** Lines of the runner, and notes about attempts, by their place in the chunk, from 0. */
  readonly marks: readonly { readonly place: number; readonly text: string; readonly at: string }[];
}

interface CountedRow {
  readonly number: number;
  readonly lines: number;
  readonly createdAt: Date;
  readonly marks: readonly (readonly [number, string])[] | null;
}

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
      `SELECT slot, last_number AS "lastNumber", blob_id AS "blobId", archived_at IS NOT NULL AS "isArchived"
         FROM job_logs WHERE id = $1`,
      [jobId],
    );
    return location ?? null;
  }

  /** The index of the archive of a log; `null`: it has none, because an older version has written it. */
  async archiveIndex(jobId: string, blobId: string): Promise<ArchiveIndex | null> {
    const [log] = await this.sql.query<{ stored: StoredIndex | null }>(
      'SELECT archive_index AS stored FROM job_logs WHERE id = $1',
      [jobId],
    );
    // An older version may have moved the log again, and left the index of the archive before.
    return log?.stored?.blobId === blobId ? log.stored : null;
  }

  /**
   * Some chunks of a log that has not moved: about half a megabyte of text, or one chunk.
   *
   * @param after the number before the first one
   */
  async chunks(jobId: string, slot: number, after: number): Promise<JobLogDto[]> {
    const rows = await this.sql.query<ChunkRow>(
      upTo(
        PAGE_BYTES,
        `SELECT number, payload, created_at FROM job_log_chunks
          WHERE slot = $1 AND job_id = $2 AND number > $3 ORDER BY number LIMIT ${PAGE}`,
        'ASC',
      ),
      [slot, jobId, after],
    );
    return rows.map((row) => toLogDto(jobId, row));
  }

  /**
   * The first of some chunks of a log that has not moved, as `chunks`.
   *
   * @param numbers those of the chunks, in their order
   */
  async chunksOf(
    jobId: string,
    slot: number,
    numbers: readonly number[],
    isAscending: boolean,
  ): Promise<JobLogDto[]> {
    const order = isAscending ? 'ASC' : 'DESC';
    const rows = await this.sql.query<ChunkRow>(
      upTo(
        PAGE_BYTES,
        `SELECT number, payload, created_at FROM job_log_chunks
          WHERE slot = $1 AND job_id = $2 AND number = ANY($3) ORDER BY number ${order} LIMIT ${PAGE}`,
        order,
      ),
      [slot, jobId, numbers],
    );
    return rows.map((row) => toLogDto(jobId, row));
  }

  /** The last chunks of a log that has not moved, oldest first: all that `readLogEnd` looks at. */
  async lastChunks(jobId: string): Promise<JobLogDto[]> {
    const rows = await this.sql.query<ChunkRow>(
      upTo(
        LAST_BYTES,
        `SELECT chunk.number, chunk.payload, chunk.created_at
           FROM job_logs AS log JOIN job_log_chunks AS chunk ON chunk.slot = log.slot AND chunk.job_id = log.id
          WHERE log.id = $1 ORDER BY chunk.number DESC LIMIT ${LAST_CHUNKS}`,
        'DESC',
      ),
      [jobId],
    );
    return rows.toReversed().map((row) => toLogDto(jobId, row));
  }

  /**
   * How many lines some chunks of a log have that has not moved, and those of its runner: the text stays in the database.
   *
   * @param after the number before the first one
   */
  async countedChunks(jobId: string, slot: number, after: number): Promise<CountedChunk[]> {
    const rows = await this.sql.query<CountedRow>(
      `SELECT number, created_at AS "createdAt",
              octet_length(payload) - octet_length(replace(payload, E'\\n', '')) + 1 AS lines,
              CASE WHEN position($4 IN payload) > 0 OR starts_with(payload, $5)
                   THEN (SELECT jsonb_agg(jsonb_build_array(place - 1, left(line, ${MAX_MARK})) ORDER BY place)
                           FROM (SELECT line, place
                                   FROM unnest(string_to_array(payload, E'\\n')) WITH ORDINALITY AS part (line, place)
                                  WHERE starts_with(line, $4) OR (line = payload AND starts_with(line, $5))
                                  ORDER BY place LIMIT ${MAX_MARKS}) AS mark) END AS marks
         FROM job_log_chunks WHERE slot = $1 AND job_id = $2 AND number > $3 ORDER BY number LIMIT ${COUNTED_PAGE}`,
      [slot, jobId, after, RUNNER_MARK, ATTEMPT_NOTE],
    );
    return rows.map(({ number, lines, createdAt, marks }) => ({
      number,
      lines,
      marks: (marks ?? []).map(([place, text]) => ({ place, text, at: createdAt.toISOString() })),
    }));
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
    await this.sql.execute(
      'UPDATE job_logs SET blob_id = NULL, archive_index = NULL, archived_at = NULL WHERE id = $1',
      [jobId],
    );
  }

  /** The log has moved. @param index of its archive; `null`: it was empty */
  async setArchived(jobId: string, index: StoredIndex | null): Promise<void> {
    await this.sql.execute(
      `UPDATE job_logs SET blob_id = $2, archive_index = $3, archived_at = now(), sealed_masks = NULL
        WHERE id = $1 AND archived_at IS NULL`,
      [jobId, index?.blobId ?? null, index === null ? null : JSON.stringify(index)],
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

/** The first rows of a page of chunks whose text has so many bytes; the first one whatever it has. */
function upTo(bytes: number, page: string, order: 'ASC' | 'DESC'): string {
  // PostgreSQL knows the length of a text without reading it.
  return `SELECT number, payload, created_at AS "createdAt"
            FROM (SELECT page.*, sum(octet_length(payload)) OVER (ORDER BY number ${order}) - octet_length(payload) AS before
                    FROM (${page}) AS page) AS measured
           WHERE before < ${bytes} ORDER BY number ${order}`;
}

function toLogDto(jobId: string, { number, payload, createdAt }: ChunkRow): JobLogDto {
  return { jobId, number, payload, timestamp: createdAt.toISOString() };
}
