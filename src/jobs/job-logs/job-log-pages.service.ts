import { Injectable } from '@nestjs/common';
import { Limits } from '../../common/background/limits.js';
import { databaseNow } from '../../common/database-clock.js';
import { invalidField } from '../../common/errors/app-error.js';
import { BlobsService } from '../../storage/blobs/blobs.service.js';
import { finalJobStatuses, type Job } from '../jobs/job.entity.js';
import { type CachePart, JobLogCache, SharedWork } from './job-log-cache.js';
import type { JobLogDto } from './job-log.dto.js';
import {
  DEFAULT_LINES,
  type GetJobLogQuery,
  type JobLogLineDto,
  type JobLogPageDto,
  type JobLogStepDto,
} from './job-log-lines.dto.js';
import { JobLogsQueries, type LogLocation } from './job-logs.queries.js';
import { ArchiveWriter, type ArchiveIndex, chunksOfArray, membersOfArray } from './log-archive.js';
import { LogHits } from './log-hits.js';
import { LogIndex } from './log-index.js';
import { bytesInStorage, ChunkParts, type LogParts, MemberParts } from './log-parts.js';
import { hitsIn, linesIn, LogMovedError, readEnd, readLines, searchParts } from './log-selection.js';
import { toSteps } from './log-steps.js';
import { comparable } from './search-text.js';

/** How often a log is looked for again that moves while it is read. */
const ATTEMPTS = 5;
/** A day in milliseconds: logs are kept that long after the end of the job, at least. */
const SHORTEST_RETENTION = 86_400_000;

/** The log of a job as it is now. */
export interface LogStatus {
  readonly location: LogLocation | null;
  readonly isComplete: boolean;
  readonly isDeleted: boolean;
}

/** A log whose lines can be read. */
interface OpenLog {
  /** One that has moved is another one. */
  readonly key: string;
  readonly index: LogIndex;
  readonly parts: LogParts;
}

/** The index of a log that is in the database. */
interface ChunkIndex {
  readonly index: LogIndex;
  readonly slot: number;
  readonly sizeInBytes: number;
}

/** The archive of an older version, in the form of this one. */
interface ConvertedArchive {
  readonly bytes: Buffer;
  readonly index: ArchiveIndex;
  readonly sizeInBytes: number;
}

/**
 * Reads parts of logs by line, without reading the rest: what it remembers is where lines are. Read the job first: then the
 * log is never older than the status.
 */
@Injectable()
export class JobLogPages {
  private readonly chunkIndexes: CachePart<ChunkIndex>;
  private readonly memberIndexes: CachePart<{ readonly stored: ArchiveIndex; readonly sizeInBytes: number }>;
  private readonly converted: CachePart<ConvertedArchive>;
  private readonly hits: CachePart<LogHits>;
  private readonly indexing = new SharedWork<LogIndex>();
  private readonly converting = new SharedWork<ConvertedArchive>();

  constructor(
    private readonly queries: JobLogsQueries,
    private readonly blobs: BlobsService,
    private readonly limits: Limits,
    cache: JobLogCache,
  ) {
    this.chunkIndexes = cache.part('chunk index');
    this.memberIndexes = cache.part('member index');
    this.converted = cache.part('converted');
    this.hits = cache.part('hits');
  }

  /** What is known of a log without reading it. */
  async statusOf(job: Job): Promise<LogStatus> {
    const location = await this.queries.locate(job.id);
    const hasEnded = (finalJobStatuses as readonly string[]).includes(job.status);
    if (location !== null) return { location, isComplete: hasEnded && location.isArchived, isDeleted: false };
    // No job is without a log, unless its runner prints nothing at all. Younger logs than that are not deleted.
    const age = databaseNow().getTime() - (job.finishedAt?.getTime() ?? Infinity);
    return { location, isComplete: hasEnded, isDeleted: age > SHORTEST_RETENTION };
  }

  /**
   * Some lines of a log.
   *
   * @param signal ends the search
   * @throws InvalidRequestError for `after` together with `before`
   * @throws ServerBusyError when the search does not get its turn
   */
  async page(
    job: Job,
    status: LogStatus,
    query: GetJobLogQuery,
    signal: AbortSignal,
  ): Promise<JobLogPageDto> {
    const { isComplete, isDeleted } = status;
    const wanted = query.search === undefined ? null : comparable(query.search);
    const range = { after: query.after, before: query.before, limit: query.limit ?? DEFAULT_LINES };
    const found = await this.whereItIs(job, status.location, async (log) => {
      const hits = wanted === null ? null : await this.hitsOf(job, log, wanted, signal);
      const { totalLines } = log.index;
      if (hits === null) {
        const lines = await readLines(log.index, log.parts, linesIn(range, totalLines), signal);
        return { totalLines, lines, totalHits: null };
      }
      const numbers = hitsIn(range, hits.numbers);
      const read = (): Promise<JobLogLineDto[]> => readLines(log.index, log.parts, numbers, signal);
      const lines = hits.linesOf(numbers) ?? (await this.inTurn(job, read, signal));
      return { totalLines, lines, totalHits: hits.numbers.length };
    });
    const none = { totalLines: 0, lines: [], totalHits: wanted === null ? null : 0 };
    return { isComplete, isDeleted, ...(found ?? none) };
  }

  /** The steps of a log. @throws ServerBusyError */
  async steps(job: Job, status: LogStatus): Promise<JobLogStepDto[]> {
    const found = await this.whereItIs(job, status.location, ({ index }) =>
      Promise.resolve(toSteps(index.steps, index.totalLines, job)),
    );
    return found ?? [];
  }

  /** The last chunks of a log, oldest first: about a megabyte of text, or all. @throws ServerBusyError */
  async end(job: Job): Promise<JobLogDto[]> {
    const { location } = await this.statusOf(job);
    return (await this.whereItIs(job, location, ({ index, parts }) => readEnd(index, parts))) ?? [];
  }

  /** Reads a log, also one that moves to storage in the meantime. @returns `null`: there is none, or it was deleted */
  private async whereItIs<R>(
    job: Job,
    known: LogLocation | null,
    read: (log: OpenLog) => Promise<R>,
  ): Promise<R | null> {
    let location = known;
    for (let attempt = 1; location !== null && location.lastNumber > 0; attempt++) {
      try {
        return await read(await this.open(job, location));
      } catch (error) {
        if (!(error instanceof LogMovedError) || attempt === ATTEMPTS) throw error;
        this.chunkIndexes.delete(job.id);
        location = await this.queries.locate(job.id);
      }
    }
    return null;
  }

  private async open(job: Job, location: LogLocation): Promise<OpenLog> {
    const { blobId, slot } = location;
    if (blobId === null) {
      const index = await this.indexOfChunks(job.id, location);
      return { key: job.id, index, parts: new ChunkParts(this.queries, job.id, slot) };
    }
    const stored = await this.storedIndex(job.id, blobId);
    if (stored !== null) {
      const parts = new MemberParts(stored.lengths, bytesInStorage(this.blobs, blobId));
      return { key: blobId, index: indexOf(stored), parts };
    }
    const { bytes, index } = await this.convertedOf(job, blobId);
    const parts = new MemberParts(index.lengths, (start, length) =>
      Promise.resolve(bytes.subarray(start, start + length)),
    );
    return { key: blobId, index: indexOf(index), parts };
  }

  /** Counts the lines of chunks that are not known yet. */
  private async indexOfChunks(jobId: string, location: LogLocation): Promise<LogIndex> {
    const known = this.chunkIndexes.get(jobId);
    const isSame = known?.slot === location.slot;
    if (isSame && known.index.parts >= location.lastNumber) return known.index;
    const running = this.indexing.of(jobId);
    if (running !== undefined) {
      const index = await running;
      return index.parts >= location.lastNumber ? index : this.indexOfChunks(jobId, location);
    }
    return this.indexing.begin(jobId, () =>
      this.countLines(jobId, location, isSame ? known.index : new LogIndex()),
    );
  }

  /** @throws LogMovedError */
  private async countLines(
    jobId: string,
    { slot, lastNumber }: LogLocation,
    index: LogIndex,
  ): Promise<LogIndex> {
    while (index.parts < lastNumber) {
      const chunks = await this.queries.countedChunks(jobId, slot, index.parts);
      if (chunks.length === 0) throw new LogMovedError();
      for (const { number, lines, marks } of chunks) {
        if (number !== index.parts + 1) throw new LogMovedError();
        const first = index.totalLines + 1;
        const isAlone = lines === 1;
        index.add({
          lines,
          marks: marks.map(({ place, text, at }) => ({ line: first + place, text, at, isAlone })),
        });
      }
    }
    this.chunkIndexes.set(jobId, { index, slot, sizeInBytes: index.sizeInBytes });
    return index;
  }

  private async storedIndex(jobId: string, blobId: string): Promise<ArchiveIndex | null> {
    const known = this.memberIndexes.get(blobId);
    if (known !== undefined) return known.stored;
    const stored = await this.queries.archiveIndex(jobId, blobId);
    if (stored !== null) {
      this.memberIndexes.set(blobId, { stored, sizeInBytes: indexOf(stored).sizeInBytes });
    }
    return stored;
  }

  /** Reads the archive of an older version once, and remembers it in the form of this one. */
  private async convertedOf(job: Job, blobId: string): Promise<ConvertedArchive> {
    return (
      this.converted.get(blobId) ??
      (await this.converting.of(blobId)) ??
      this.converting.begin(blobId, () => this.inTurn(job, () => this.convert(blobId)))
    );
  }

  private async convert(blobId: string): Promise<ConvertedArchive> {
    const archive = new ArchiveWriter();
    const chunks = chunksOfArray(membersOfArray(await this.blobs.open({ id: blobId })));
    const bytes = Buffer.concat(await Array.fromAsync(archive.write(chunks)));
    const converted = {
      bytes,
      index: archive.index,
      sizeInBytes: bytes.length + indexOf(archive.index).sizeInBytes,
    };
    this.converted.set(blobId, converted);
    return converted;
  }

  /** The lines of a log that contain a text: only those of parts are searched that were not before. */
  private async hitsOf(
    job: Job,
    { key, index, parts }: OpenLog,
    wanted: string,
    signal: AbortSignal,
  ): Promise<LogHits> {
    const name = `${key} ${wanted}`;
    const known = this.hits.get(name);
    if (known?.parts === index.parts) return known;
    const search = async (): Promise<LogHits> => {
      const hits = await searchParts(index, parts, wanted, this.hits.get(name) ?? LogHits.none(), signal);
      this.hits.set(name, hits);
      return hits;
    };
    return this.inTurn(job, search, signal);
  }

  /** Does work that reads all of a log, or may do so. @throws ServerBusyError */
  private inTurn<R>({ organizationId }: Job, work: () => Promise<R>, signal?: AbortSignal): Promise<R> {
    return this.limits.run('log-scans', organizationId, work, signal === undefined ? {} : { signal });
  }
}

/** The index of an archive, to look lines up. */
function indexOf({ lines, steps }: ArchiveIndex): LogIndex {
  const index = new LogIndex(steps);
  for (const count of lines) index.add({ lines: count, marks: [] });
  return index;
}

/** @throws InvalidRequestError */
export function assertOneDirection({ after, before }: GetJobLogQuery): void {
  if (after !== undefined && before !== undefined) {
    throw invalidField('before', 'Give after or before, not both.');
  }
}
