import type { JobLogDto } from './job-log.dto.js';
import { type JobLogLineDto, MAX_TEXT } from './job-log-lines.dto.js';

/** Memory of hits besides their numbers, about, in bytes; of a number; and of a line besides its text. */
const OVERHEAD = 500;
const OF_HIT = 8;
const OF_LINE = 150;

/**
 * The lines of a log that contain a text: their numbers, and themselves as long as all of them fit in one response. Few hits can
 * be anywhere in the log, and reading them again would take as long as the search did; many are close to each other.
 */
export class LogHits {
  /** How many parts of the log were searched. */
  parts = 0;

  private constructor(
    /** Ascending. */
    private readonly found: number[],
    private lines: Map<number, JobLogLineDto> | null,
    /** What the lines take, about, in bytes of UTF-8. */
    private taken: number,
  ) {}

  static none(): LogHits {
    return new LogHits([], new Map(), 0);
  }

  get numbers(): readonly number[] {
    return this.found;
  }

  get sizeInBytes(): number {
    return OVERHEAD + this.found.length * OF_HIT + (this.lines === null ? 0 : 2 * this.taken);
  }

  copy(): LogHits {
    const copied = new LogHits([...this.found], this.lines && new Map(this.lines), this.taken);
    copied.parts = this.parts;
    return copied;
  }

  /**
   * Adds hits of the next chunk.
   *
   * @param first the number of its first line
   * @param places of the hits in the chunk, from 0
   */
  add({ payload, timestamp }: JobLogDto, first: number, places: readonly number[]): void {
    if (places.length === 0) return;
    const texts = this.lines === null ? [] : payload.split('\n');
    for (const place of places) {
      this.found.push(first + place);
      if (this.lines === null) continue;
      const text = texts[place] ?? '';
      this.taken += OF_LINE + Buffer.byteLength(text);
      if (this.taken > MAX_TEXT) this.lines = null;
      else this.lines.set(first + place, { number: first + place, text, timestamp });
    }
  }

  /** Some of the lines, ascending; `null`: they have to be read. @param numbers of hits */
  linesOf(numbers: readonly number[]): JobLogLineDto[] | null {
    const { lines } = this;
    if (lines === null) return null;
    return numbers.toSorted((one, other) => one - other).flatMap((number) => lines.get(number) ?? []);
  }
}
