import { type FoundStep, type LogMark, StepFinder } from './log-steps.js';

/** Memory of an index besides its lists, about, in bytes; and of a part and a step in it. */
const OVERHEAD = 500;
const OF_PART = 8;
const OF_STEP = 300;

/** What an index keeps of a part of a log. */
export interface IndexedPart {
  readonly lines: number;
  readonly marks: readonly LogMark[];
}

/**
 * Where the lines of a log are. A log consists of parts, numbered from 0: the chunks of one that is in the database, or the
 * members of an archive. It only grows.
 */
export class LogIndex {
  /** The number of the first line of each part. */
  private readonly firsts: number[] = [];
  private readonly finder = new StepFinder();
  private lines = 0;

  constructor(private readonly found?: readonly FoundStep[]) {}

  get totalLines(): number {
    return this.lines;
  }

  get parts(): number {
    return this.firsts.length;
  }

  get steps(): readonly FoundStep[] {
    return this.found ?? this.finder.steps;
  }

  get sizeInBytes(): number {
    return OVERHEAD + this.firsts.length * OF_PART + this.steps.length * OF_STEP;
  }

  /** Adds the part that follows. */
  add({ lines, marks }: IndexedPart): void {
    this.firsts.push(this.lines + 1);
    this.lines += lines;
    for (const mark of marks) this.finder.add(mark);
  }

  /** The number of the first line of a part. @throws RangeError */
  firstLineOf(part: number): number {
    const first = this.firsts[part];
    if (first === undefined) throw new RangeError(`The log has no part ${part}.`);
    return first;
  }

  /** The part that has a line. @param line 1 to `totalLines` */
  partOf(line: number): number {
    let low = 0;
    let high = this.firsts.length - 1;
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.firsts[middle] ?? Infinity) <= line) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}
