import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { Config } from '../../config/config.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { Job } from '../jobs/job.entity.js';
import { cutLines } from './cut-lines.js';
import { contextOfLog, JobMasks } from './job-masks.service.js';
import { JobLogsQueries, type LogState } from './job-logs.queries.js';
import { limitLines, toChunks } from './log-chunks.js';

/** What a chunk takes besides its text, in bytes: a log of many small ones ends, too. */
const CHUNK_BYTES = 200;
const nothing: Buffer = Buffer.alloc(0);

/** Adds to logs of jobs. Every method joins the running transaction, and locks the log until its end. */
@Injectable()
export class JobLogWriter {
  constructor(
    private readonly queries: JobLogsQueries,
    private readonly masks: JobMasks,
    private readonly box: SecretBox,
    private readonly config: Config,
  ) {}

  /** Adds what a runner sent: its lines as far as they have ended, masked. */
  async append(job: Job, bytes: Buffer): Promise<void> {
    const masker = await this.masks.of(job);
    await transaction(async () => {
      const log = (await this.queries.lock(job.id)) ?? (await this.begin(job.id));
      const { lines, rest } = cutLines(Buffer.concat([this.tailOf(job, log), bytes]), masker, false);
      await this.write(job, log, lines, rest);
    });
  }

  /**
   * The attempt is over: adds the line that has no end yet, and what the server has to say.
   *
   * @param note a sentence; `null`: none
   * @param summarize makes the last lines, when the log has all others; `null`: none
   */
  end(
    job: Job,
    note: string | null,
    summarize: () => Promise<string | null> = () => Promise.resolve(null),
  ): Promise<void> {
    return transaction(async () => {
      const log = (await this.queries.lock(job.id)) ?? (note === null ? null : await this.begin(job.id));
      if (log !== null) {
        const tail = this.tailOf(job, log);
        const lines = tail.length === 0 ? [] : cutLines(tail, await this.masks.of(job), true).lines;
        if (tail.length > 0 || note !== null) await this.write(job, log, lines, nothing, note);
      }
      const summary = await summarize();
      if (summary !== null) {
        const ended = (await this.queries.lock(job.id)) ?? (await this.begin(job.id));
        await this.write(job, ended, [], nothing, summary);
      }
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
    await this.queries.add(job.id, log, chunks, {
      slot: log.slot,
      lastNumber: log.lastNumber + chunks.length,
      sizeInBytes: limited.sizeInBytes + chunks.length * CHUNK_BYTES,
      isFull: limited.isFull,
      sealedTail:
        keptRest.length === 0 ? null : this.box.seal(keptRest.toString('base64'), contextOfLog(job.id)),
    });
  }

  private async begin(jobId: string): Promise<LogState> {
    await this.queries.begin(jobId);
    const begun = await this.queries.lock(jobId);
    if (begun === null) throw new Error('The log was deleted.');
    return begun;
  }
}
