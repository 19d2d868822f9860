import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { Config } from '../../config/config.js';
import { sql } from '../../database/sql.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { Job } from '../jobs/job.entity.js';
import { cutLines } from './cut-lines.js';
import { contextOfLog, JobMasks } from './job-masks.service.js';
import { limitLines, toChunks } from './log-chunks.js';
import { beginLog } from './log-rows.js';

/** What a write needs of the log. */
interface LogState {
  readonly slot: number;
  readonly lastNumber: number;
  readonly sizeInBytes: number;
  readonly isFull: boolean;
  readonly sealedTail: string | null;
}

const columns = `slot, last_number AS "lastNumber", size_in_bytes AS "sizeInBytes", is_full AS "isFull",
                 sealed_tail AS "sealedTail"`;
/** What a chunk takes besides its text, in bytes: a log of many small ones ends, too. */
const CHUNK_BYTES = 200;
const nothing: Buffer = Buffer.alloc(0);

/** Adds to logs of jobs. Every method joins the running transaction, and locks the log until its end. */
@Injectable()
export class JobLogWriter {
  constructor(
    private readonly masks: JobMasks,
    private readonly box: SecretBox,
    private readonly config: Config,
  ) {}

  /** Adds what a runner sent: its lines as far as they have ended, masked. */
  async append(job: Job, bytes: Buffer): Promise<void> {
    const masker = await this.masks.of(job);
    await transaction(async () => {
      const log = (await find(job.id)) ?? (await begin(job.id));
      const { lines, rest } = cutLines(Buffer.concat([this.tailOf(job, log), bytes]), masker, false);
      await this.write(job, log, lines, rest);
    });
  }

  /**
   * The attempt is over: adds the line that has no end yet, and a sentence of the server.
   *
   * @param note `null`: none
   */
  end(job: Job, note: string | null): Promise<void> {
    return transaction(async () => {
      const log = (await find(job.id)) ?? (note === null ? null : await begin(job.id));
      if (log === null) return;
      const tail = this.tailOf(job, log);
      const lines = tail.length === 0 ? [] : cutLines(tail, await this.masks.of(job), true).lines;
      if (tail.length > 0 || note !== null) await this.write(job, log, lines, nothing, note);
      this.masks.forget(job);
    });
  }

  private tailOf(job: Job, { sealedTail }: LogState): Buffer {
    return sealedTail === null
      ? nothing
      : Buffer.from(this.box.open(sealedTail, contextOfLog(job.id)), 'base64');
  }

  private async write(
    job: Job,
    log: LogState,
    lines: readonly string[],
    rest: Buffer,
    note: string | null = null,
  ): Promise<void> {
    const limited = log.isFull
      ? { lines: [], sizeInBytes: log.sizeInBytes, isFull: true }
      : limitLines(lines, log.sizeInBytes, this.config.jobs.logBytes);
    const chunks = [...toChunks(limited.lines), ...(note === null ? [] : [note])];
    const keptRest = limited.isFull ? nothing : rest;
    await sql(
      `INSERT INTO job_log_chunks (slot, job_id, number, payload, created_at)
       SELECT $1, $2, $3 + ordinality, payload, clock_timestamp()
         FROM unnest($4::text[]) WITH ORDINALITY AS chunk (payload, ordinality)`,
      [log.slot, job.id, log.lastNumber, chunks],
    );
    await sql(
      `UPDATE job_logs SET last_number = $2, size_in_bytes = $3, is_full = $4, sealed_tail = $5 WHERE id = $1`,
      [
        job.id,
        log.lastNumber + chunks.length,
        limited.sizeInBytes + chunks.length * CHUNK_BYTES,
        limited.isFull,
        keptRest.length === 0 ? null : this.box.seal(keptRest.toString('base64'), contextOfLog(job.id)),
      ],
    );
  }
}

/** Finds the log, and locks it. */
async function find(jobId: string): Promise<LogState | null> {
  const [found] = await sql<LogState>(`SELECT ${columns} FROM job_logs WHERE id = $1 FOR UPDATE`, [jobId]);
  return found ?? null;
}

/** Begins the log in the table of today. */
async function begin(jobId: string): Promise<LogState> {
  await beginLog(jobId);
  const begun = await find(jobId);
  if (begun === null) throw new Error('The log was deleted.');
  return begun;
}
