import { Injectable } from '@nestjs/common';
import { SecretBox } from '../../common/secrets/secret-box.js';
import { Config } from '../../config/config.js';
import { transaction } from '../../database/transactions/transaction.js';
import type { Job } from '../jobs/job.entity.js';
import { cleanLines } from '../../common/secrets/clean-lines.js';
import type { SecretMasker } from '../../common/secrets/secret-masker.js';
import { contextOfLog, JobMasks } from './job-masks.service.js';
import { JobLogsQueries, type LogState } from './job-logs.queries.js';
import { SUMMARY_NOTE, tooLongNote, withoutHeading } from './log-notes.js';

/** Longer lines become several. In bytes, after masking. */
export const MAX_LINE = 16_384;

/** Bytes of a character in UTF-8 that follow its first one. */
const MAX_CONTINUATION = 3;
const CARRIAGE_RETURN = 13;

/** The lines of some bytes. */
interface CutLines {
  /** Masked, valid, without line ends. */
  readonly lines: string[];
  /** Bytes that are no line yet: they come before the next ones. Not masked. */
  readonly rest: Buffer;
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Control characters but tab, carriage return and escape, which terminals use. PostgreSQL refuses NUL, and some terminals
 * read those from 80 on as sequences.
 */
// oxlint-disable-next-line no-control-regex -- that is the point
const noise = /[\x00-\x08\x0b\x0c\x0e-\x1a\x1c-\x1f\x7f-\x9f]/g;

/** Largest chunk, in bytes of UTF-8. */
export const MAX_CHUNK = 65_536;

/** Lines that are kept, and how much of the limit they take. */
interface LimitedLines {
  readonly lines: readonly string[];
  readonly sizeInBytes: number;
  /** Whether the limit was reached: nothing more is kept. */
  readonly isFull: boolean;
}

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
   * The attempt has ended: adds the line that has no end yet, and what the server has to say.
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
        if (tail.length > 0 || note !== null)
          await this.write(job, log, lines, nothing, ...(note === null ? [] : [note]));
      }
      const summary = await summarize();
      if (summary !== null) {
        const ended = (await this.queries.lock(job.id)) ?? (await this.begin(job.id));
        await this.write(job, ended, [], nothing, SUMMARY_NOTE, summary);
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
    ...notes: readonly string[]
  ): Promise<void> {
    const limited = log.isFull
      ? { lines: [], sizeInBytes: log.sizeInBytes, isFull: true }
      : limitLines(lines, log.sizeInBytes, this.config.jobs.logBytes);
    const chunks = [...toChunks(limited.lines), ...notes];
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

/**
 * Cuts bytes into lines, masks secrets, leaves only colors of the sequences of terminals, and makes valid text of what is
 * none. However the bytes of a log are split into calls, the lines are the same.
 *
 * @param bytes the rest of the call before, and what follows
 * @param isEnd whether nothing follows: then there is no rest
 */
export function cutLines(bytes: Buffer, masker: SecretMasker, isEnd: boolean): CutLines {
  const { lines, rest } = cleanLines(bytes, masker, isEnd);
  return {
    lines: lines.flatMap((line) => piecesOf(line.endsLine ? withoutReturn(line.bytes) : line.bytes)),
    rest,
  };
}

function withoutReturn(line: Buffer): Buffer {
  return line.at(-1) === CARRIAGE_RETURN ? line.subarray(0, -1) : line;
}

/** Cuts a line between characters, unless there are only bytes that continue one. */
function piecesOf(line: Buffer): string[] {
  const pieces: string[] = [];
  let start = 0;
  while (line.length - start > MAX_LINE) {
    let end = start + MAX_LINE;
    while (end < start + MAX_LINE + MAX_CONTINUATION && ((line[end] ?? 0) & 0xc0) === 0x80) end++;
    pieces.push(textOf(line.subarray(start, end)));
    start = end;
  }
  return start < line.length || start === 0 ? [...pieces, textOf(line.subarray(start))] : pieces;
}

function textOf(bytes: Buffer): string {
  return withoutHeading(decoder.decode(bytes)).replaceAll(noise, '\uFFFD');
}

/**
 * Keeps lines up to a limit, then one that reports the limit.
 *
 * @param size bytes that were kept before
 * @param limit for the whole log, in bytes with line ends
 */
export function limitLines(lines: readonly string[], size: number, limit: number): LimitedLines {
  let sizeInBytes = size;
  for (const [index, line] of lines.entries()) {
    const length = Buffer.byteLength(line) + 1;
    if (sizeInBytes + length > limit) {
      return { lines: [...lines.slice(0, index), tooLongNote(limit)], sizeInBytes, isFull: true };
    }
    sizeInBytes += length;
  }
  return { lines, sizeInBytes, isFull: false };
}

/** Joins lines to chunks, as few as their size allows. */
export function toChunks(lines: readonly string[]): string[] {
  const chunks: string[][] = [];
  let size = Infinity;
  for (const line of lines) {
    const length = Buffer.byteLength(line) + 1;
    if (size + length > MAX_CHUNK + 1) {
      chunks.push([]);
      size = 0;
    }
    chunks.at(-1)?.push(line);
    size += length;
  }
  return chunks.map((chunk) => chunk.join('\n'));
}
