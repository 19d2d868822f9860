import type { JobLogDto } from './job-log.dto.js';
import { type JobLogLineDto, MAX_TEXT } from './job-log-lines.dto.js';
import type { LogHits } from './log-hits.js';
import type { LogIndex } from './log-index.js';
import type { LogPart, LogParts } from './log-parts.js';
import { countLines, linesWith } from './search-text.js';
import { TimeSlices } from './time-slices.js';

/** Parts that are asked for at once. */
const BATCH = 2000;

/** The log has moved, or was deleted, while it was read. */
export class LogMovedError extends Error {}

/** Which lines are wanted. */
export interface Range {
  readonly after?: number | undefined;
  readonly before?: number | undefined;
  readonly limit: number;
}

/**
 * The numbers of the lines that a request wants, in the order in which they are read: from `after` on, or backward from
 * `before` or the end of the log.
 *
 * @param totalLines those of the log
 */
export function linesIn({ after, before, limit }: Range, totalLines: number): number[] {
  if (after !== undefined) {
    const count = Math.max(0, Math.min(limit, totalLines - after));
    return Array.from({ length: count }, (_, index) => after + 1 + index);
  }
  const last = Math.min(totalLines, (before ?? Infinity) - 1);
  return Array.from({ length: Math.max(0, Math.min(limit, last)) }, (_, index) => last - index);
}

/** As `linesIn`, of some lines only. @param hits ascending */
export function hitsIn({ after, before, limit }: Range, hits: readonly number[]): number[] {
  if (after !== undefined) {
    const start = countBelow(hits, after + 1);
    return hits.slice(start, start + limit);
  }
  const end = before === undefined ? hits.length : countBelow(hits, before);
  return hits.slice(Math.max(0, end - limit), end).toReversed();
}

/** How many numbers of an ascending list are below one. */
function countBelow(numbers: readonly number[], number: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] ?? Infinity) < number) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Reads lines by their numbers, as many as a response holds.
 *
 * @param wanted ascending or descending
 * @returns ascending
 * @throws LogMovedError
 */
export async function readLines(
  index: LogIndex,
  parts: LogParts,
  wanted: readonly number[],
  signal?: AbortSignal,
): Promise<JobLogLineDto[]> {
  const slices = new TimeSlices(signal);
  const wantedParts = withoutRepeats(wanted.map((line) => index.partOf(line)));
  const lines: JobLogLineDto[] = [];
  let position = 0;
  let room = MAX_TEXT;
  for await (const { part, chunks } of readParts(parts, wantedParts)) {
    const found = new PartLines(chunks, index.firstLineOf(part));
    for (; position < wanted.length; position++) {
      const number = wanted[position] ?? 0;
      if (index.partOf(number) !== part) break;
      const line = found.at(number);
      room -= Buffer.byteLength(line.text);
      if (room < 0 && lines.length > 0) return inOrder(lines);
      lines.push(line);
    }
    await slices.pause();
  }
  return inOrder(lines);
}

/**
 * Searches the parts of a log that were not searched before.
 *
 * @param wanted as `comparable` gives it
 * @param hits what was found before
 * @throws LogMovedError
 * @throws the reason of the signal
 */
export async function searchParts(
  index: LogIndex,
  parts: LogParts,
  wanted: string,
  hits: LogHits,
  signal?: AbortSignal,
): Promise<LogHits> {
  const slices = new TimeSlices(signal);
  const found = hits.copy();
  const all = Array.from({ length: index.parts - hits.parts }, (_, place) => hits.parts + place);
  for await (const { part, chunks } of readParts(parts, all)) {
    let first = index.firstLineOf(part);
    for (const chunk of chunks) {
      found.add(chunk, first, linesWith(chunk.payload, wanted));
      first += countLines(chunk.payload);
      await slices.pause();
    }
    found.parts = part + 1;
  }
  return found;
}

/** The last chunks of a log, oldest first: about a megabyte of text, or all. @throws LogMovedError */
export async function readEnd(index: LogIndex, parts: LogParts): Promise<JobLogDto[]> {
  const backward = Array.from({ length: index.parts }, (_, place) => index.parts - 1 - place);
  const end: JobLogDto[] = [];
  let room = MAX_TEXT;
  for await (const { chunks } of readParts(parts, backward)) {
    for (const chunk of chunks.toReversed()) {
      end.push(chunk);
      room -= chunk.payload.length;
    }
    if (room < 0) break;
  }
  return end.toReversed();
}

/** @throws LogMovedError */
async function* readParts(parts: LogParts, wanted: readonly number[]): AsyncGenerator<LogPart> {
  let done = 0;
  while (done < wanted.length) {
    const read = await parts.read(wanted.slice(done, done + BATCH));
    if (read.length === 0) throw new LogMovedError();
    for (const part of read) {
      if (part.part !== wanted[done++]) throw new LogMovedError();
      yield part;
    }
  }
}

/** The lines of a part. Only chunks are split whose lines are wanted. */
class PartLines {
  private readonly ends: number[] = [];
  private split: { readonly chunk: JobLogDto; readonly lines: readonly string[] } | null = null;

  /** @param first the number of the first line */
  constructor(
    private readonly chunks: readonly JobLogDto[],
    private readonly first: number,
  ) {
    let end = first;
    for (const { payload } of chunks) this.ends.push((end += countLines(payload)));
  }

  /** @throws LogMovedError */
  at(number: number): JobLogLineDto {
    const place = this.ends.findIndex((end) => number < end);
    const chunk = this.chunks[place];
    if (chunk === undefined) throw new LogMovedError();
    if (this.split?.chunk !== chunk) this.split = { chunk, lines: chunk.payload.split('\n') };
    const text = this.split.lines[number - (this.ends[place - 1] ?? this.first)];
    if (text === undefined) throw new LogMovedError();
    return { number, text, timestamp: chunk.timestamp };
  }
}

function inOrder(lines: JobLogLineDto[]): JobLogLineDto[] {
  return (lines[0]?.number ?? 0) > (lines.at(-1)?.number ?? 0) ? lines.toReversed() : lines;
}

function withoutRepeats(parts: readonly number[]): number[] {
  return parts.filter((part, index) => part !== parts[index - 1]);
}
