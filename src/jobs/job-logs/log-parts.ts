import { buffer } from 'node:stream/consumers';
import type { BlobsService } from '../../storage/blobs/blobs.service.js';
import type { JobLogDto } from './job-log.dto.js';
import type { JobLogsQueries } from './job-logs.queries.js';
import { readMember } from './log-archive.js';

/** Members of an archive that are read at once: at most some megabytes of text. */
const MEMBERS = 4;

/** A part of a log with its chunks. */
export interface LogPart {
  readonly part: number;
  readonly chunks: readonly JobLogDto[];
}

/** Reads the parts of a log, whose places a `LogIndex` knows. */
export interface LogParts {
  /**
   * Reads some of the parts that are wanted.
   *
   * @param wanted ascending or descending
   * @returns the first of them in their order, one at least; none when the log has moved or was deleted
   */
  read(wanted: readonly number[]): Promise<LogPart[]>;
}

/** The parts of a log that is in the database: its chunks. */
export class ChunkParts implements LogParts {
  constructor(
    private readonly queries: JobLogsQueries,
    private readonly jobId: string,
    private readonly slot: number,
  ) {}

  async read(wanted: readonly number[]): Promise<LogPart[]> {
    const isAscending = (wanted.at(-1) ?? 0) >= (wanted[0] ?? 0);
    const numbers = wanted.map((part) => part + 1);
    const chunks = await this.queries.chunksOf(this.jobId, this.slot, numbers, isAscending);
    return chunks.map((chunk) => ({ part: chunk.number - 1, chunks: [chunk] }));
  }
}

/** Bytes of an archive. */
export type ReadBytes = (start: number, length: number) => Promise<Buffer>;

/** The parts of a log that is in storage: the members of its archive. */
export class MemberParts implements LogParts {
  private readonly starts: number[] = [];

  /** @param lengths compressed bytes of each member */
  constructor(
    private readonly lengths: readonly number[],
    private readonly readBytes: ReadBytes,
  ) {
    let start = 0;
    for (const length of lengths) {
      this.starts.push(start);
      start += length;
    }
  }

  async read(wanted: readonly number[]): Promise<LogPart[]> {
    const some = neighbors(wanted.slice(0, MEMBERS));
    const first = Math.min(...some);
    const start = this.startOf(first);
    const last = Math.max(...some);
    const bytes = await this.readBytes(start, this.startOf(last) + this.lengthOf(last) - start);
    const parts: LogPart[] = [];
    for (const part of some) {
      const from = this.startOf(part) - start;
      parts.push({ part, chunks: await readMember(bytes.subarray(from, from + this.lengthOf(part))) });
    }
    return parts;
  }

  private startOf(part: number): number {
    return this.starts[part] ?? 0;
  }

  private lengthOf(part: number): number {
    return this.lengths[part] ?? 0;
  }
}

/** Reads bytes of a stored archive. */
export function bytesInStorage(blobs: BlobsService, blobId: string): ReadBytes {
  return async (start, length) => buffer(await blobs.openRange({ id: blobId }, { start, length }));
}

/** The first numbers that follow one another without a gap. */
function neighbors(numbers: readonly number[]): number[] {
  const end = numbers.findIndex(
    (number, index) => index > 0 && Math.abs(number - (numbers[index - 1] ?? 0)) > 1,
  );
  return numbers.slice(0, end === -1 ? undefined : end);
}
