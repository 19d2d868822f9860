import { pipeline, type Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGunzip, gunzip, gzip } from 'node:zlib';
import type { JobLogDto } from './job-log.dto.js';
import { type FoundStep, marksOf, StepFinder } from './log-steps.js';
import { countLines } from './search-text.js';
import { TimeSlices } from './time-slices.js';

/** A member ends after so much JSON, in characters. */
const MEMBER = 262_144;
/** What is decompressed at a time, in bytes. */
const PIECE = 262_144;

/** Where the lines of an archive are. */
export interface ArchiveIndex {
  /** Compressed bytes of each member, in their order. */
  readonly lengths: readonly number[];
  /** Lines of each member. */
  readonly lines: readonly number[];
  readonly steps: readonly FoundStep[];
}

/** A chunk, and its JSON. */
interface TextOfChunk {
  readonly chunk: JobLogDto;
  readonly json: string;
}

/**
 * Writes a log as an archive: one JSON array of its chunks, cut between chunks into members of gzip. All members together
 * are one gzip file of the whole array, and each can be decompressed alone.
 */
export class ArchiveWriter {
  private readonly lengths: number[] = [];
  private readonly lines: number[] = [];
  private readonly finder = new StepFinder();
  private readonly slices = new TimeSlices();
  private pending: string[] = [];
  private pendingSize = 0;
  private pendingLines = 0;
  private totalLines = 0;
  /** The number of the last chunk that was written; 0: none. */
  lastNumber = 0;

  /** The members of some chunks in their order. Complete when it has ended: then `index` is, too. */
  async *write(chunks: AsyncIterable<TextOfChunk>): AsyncGenerator<Buffer> {
    for await (const { chunk, json } of chunks) {
      if (this.pendingSize >= MEMBER) yield await this.member('');
      this.add(chunk, json);
      await this.slices.pause();
    }
    if (this.pending.length > 0) yield await this.member(']');
  }

  /** Of what was written. */
  get index(): ArchiveIndex {
    return { lengths: this.lengths, lines: this.lines, steps: this.finder.steps };
  }

  private add({ number, payload, timestamp }: JobLogDto, json: string): void {
    for (const mark of marksOf(payload, this.totalLines + 1, timestamp)) this.finder.add(mark);
    const lines = countLines(payload);
    this.totalLines += lines;
    this.pendingLines += lines;
    this.pending.push(json);
    this.pendingSize += json.length;
    this.lastNumber = number;
  }

  private async member(end: string): Promise<Buffer> {
    const begin = this.lengths.length === 0 ? '[' : ',';
    const bytes = await promisify(gzip)(`${begin}${this.pending.join(',')}${end}`);
    this.lengths.push(bytes.length);
    this.lines.push(this.pendingLines);
    this.pending = [];
    this.pendingSize = 0;
    this.pendingLines = 0;
    return bytes;
  }
}

/** The chunks of a member. @param bytes compressed */
export async function readMember(bytes: Buffer): Promise<JobLogDto[]> {
  const text = (await promisify(gunzip)(bytes)).toString();
  const end = text.endsWith('}]') ? -1 : undefined;
  return JSON.parse(`[${text.slice(1, end)}]`) as JobLogDto[];
}

/** The bytes of an archive of any version, decompressed: the members of a JSON array, without its brackets. */
export async function* membersOfArray(archive: Readable): AsyncGenerator<Buffer> {
  const pieces = createGunzip({ chunkSize: PIECE });
  // A failure of the archive ends the loop below with it, and the end of the loop closes the archive.
  pipeline(archive, pieces, () => undefined);
  let isFirst = true;
  let held: Buffer | null = null;
  for await (const piece of pieces as AsyncIterable<Buffer>) {
    if (held !== null && held.length > 0) yield held;
    held = isFirst ? piece.subarray(1) : piece;
    isFirst = false;
  }
  if (held !== null && held.length > 1) yield held.subarray(0, -1);
}

/** Between two chunks in JSON. No text has it, because a quotation mark in one has a backslash before it. */
const SEPARATOR = Buffer.from('},{"jobId":"');

/**
 * The chunks of an archive that an older version has written, which is one member.
 *
 * @param members of the array, without its brackets
 */
export async function* chunksOfArray(members: AsyncIterable<Buffer>): AsyncGenerator<TextOfChunk> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const piece of members) {
    // The separator may begin at the end of the rest, and has not been there before that.
    let from = Math.max(0, rest.length - SEPARATOR.length);
    let start = 0;
    const bytes: Buffer = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    for (let at = bytes.indexOf(SEPARATOR, from); at !== -1; at = bytes.indexOf(SEPARATOR, from)) {
      yield parsed(bytes.subarray(start, at + 1));
      start = at + 2;
      from = start;
    }
    rest = bytes.subarray(start);
  }
  if (rest.length > 0) yield parsed(rest);
}

function parsed(bytes: Buffer): TextOfChunk {
  const json = bytes.toString();
  return { chunk: JSON.parse(json) as JobLogDto, json };
}
