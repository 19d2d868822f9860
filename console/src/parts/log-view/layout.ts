import type { LogStep } from '../../api/logs';

/** Heights of a row of text and of a step, in pixels; look.css has them, too. */
export const [LINE, STEP] = [18, 36];

/** A row: a line of the log, or the heading of a step above its first line. */
export interface Row {
  /** Of a heading, the first line of its step. */
  readonly line: number;
  /** `null`: a line. */
  readonly step: LogStep | null;
  readonly isFolded: boolean;
}

/** Lines one below the other, or one heading. */
interface Segment {
  readonly firstLine: number;
  /** Of a heading 0. */
  readonly count: number;
  readonly step: LogStep | null;
  readonly isFolded: boolean;
  /** In pixels from the beginning. */
  readonly top: number;
}

/** The place of the first of sorted items for which a condition holds; their number if there is none. */
function firstWhere<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** The last line of a step: of one that runs, that of the log. */
export const lastLineOf = ({ lastLine, endedAt }: LogStep, total: number): number =>
  endedAt === null ? total : Math.min(lastLine, total);

/** Where the lines of a log stand, with steps that are folded. All of it follows from numbers: no line is needed for it. */
export class LogLayout {
  /** In pixels. */
  readonly height: number;
  private readonly segments: readonly Segment[];

  /**
   * @param total lines of the log
   * @param steps by their lines
   * @param folded first lines of the steps whose lines are hidden
   * @param lineHeight of each line, in pixels
   */
  constructor(
    private readonly total: number,
    private readonly steps: readonly LogStep[],
    folded: ReadonlySet<number>,
    private readonly lineHeight = LINE,
  ) {
    const segments: Segment[] = [];
    let [line, top] = [1, 0];
    const addLines = (to: number): void => {
      const count = to - line + 1;
      if (count <= 0) return;
      segments.push({ firstLine: line, count, step: null, isFolded: false, top });
      top += count * lineHeight;
      line = to + 1;
    };
    for (const step of steps) {
      if (step.firstLine < line || step.firstLine > total) continue;
      addLines(step.firstLine - 1);
      const isFolded = folded.has(step.firstLine);
      segments.push({ firstLine: line, count: 0, step, isFolded, top });
      top += STEP;
      const last = lastLineOf(step, total);
      if (isFolded) line = last + 1;
      else addLines(last);
    }
    addLines(total);
    this.segments = segments;
    this.height = top;
  }

  /** The step that a line belongs to; `null`: none. */
  stepOf(line: number): LogStep | null {
    const step = this.steps[firstWhere(this.steps, ({ firstLine }) => firstLine > line) - 1];
    return step !== undefined && line <= lastLineOf(step, this.total) ? step : null;
  }

  /** Where a line begins, in pixels; of a hidden one, the heading of its step. */
  topOf(line: number): number {
    const segment = this.segments[firstWhere(this.segments, ({ firstLine }) => firstLine > line) - 1];
    if (segment === undefined) return 0;
    if (segment.step !== null) return segment.top;
    return segment.top + Math.min(line - segment.firstLine, segment.count - 1) * this.lineHeight;
  }

  /** The rows between two heights, in pixels, and where the first one begins. */
  rowsBetween(from: number, to: number): { rows: Row[]; top: number } {
    const rows: Row[] = [];
    let start: number | null = null;
    const first = Math.max(firstWhere(this.segments, ({ top }) => top > from) - 1, 0);
    for (let index = first; index < this.segments.length; index += 1) {
      const { firstLine, count, step, isFolded, top } = this.segments[index]!;
      if (top >= to) break;
      if (step !== null) {
        start ??= top;
        rows.push({ line: firstLine, step, isFolded });
        continue;
      }
      const skipped = Math.max(Math.floor((from - top) / this.lineHeight), 0);
      const end = Math.min(count, Math.ceil((to - top) / this.lineHeight));
      if (skipped < end) start ??= top + skipped * this.lineHeight;
      for (let n = skipped; n < end; n += 1) rows.push({ line: firstLine + n, step: null, isFolded: false });
    }
    return { rows, top: start ?? 0 };
  }
}
