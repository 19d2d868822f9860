import type { LogStep } from '../../api/logs';

/** Heights of a line and of a step, in pixels; look.css has them, too. */
export const [LINE, STEP] = [18, 36];

/** A row: a line of the log, or a step in place of its first line. */
export interface Row {
  readonly line: number;
  readonly step: LogStep | null;
  readonly isFolded: boolean;
}

/** Lines one below the other, or one step. */
interface Segment {
  readonly firstLine: number;
  readonly count: number;
  /** `null`: lines. */
  readonly step: LogStep | null;
  readonly isFolded: boolean;
  /** In pixels from the beginning. */
  readonly top: number;
}

/** The first of sorted items for which a condition holds; their number if there is none. */
function firstWhere<T>(items: readonly T[], holds: (item: T) => boolean): number {
  let [low, high] = [0, items.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (holds(items[middle]!)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Where the lines of a log stand, with steps that are folded. All of it follows from numbers: no line is needed for it. */
export class LogLayout {
  /** In pixels. */
  readonly height: number;
  private readonly segments: readonly Segment[];

  /**
   * @param total lines of the log
   * @param steps by their lines; the last one ends with the log
   * @param folded first lines of the steps whose lines are hidden
   */
  constructor(
    total: number,
    private readonly steps: readonly LogStep[],
    folded: ReadonlySet<number>,
  ) {
    const segments: Segment[] = [];
    let [line, top] = [1, 0];
    const add = (step: LogStep | null, count: number, isFolded: boolean): void => {
      if (count <= 0) return;
      segments.push({ firstLine: line, count, step, isFolded, top });
      top += step === null ? count * LINE : STEP;
      line += count;
    };
    steps.forEach((step, index) => {
      if (step.firstLine > total) return;
      add(null, step.firstLine - line, false);
      const isFolded = folded.has(step.firstLine);
      const last = this.lastLineOf(index, total);
      add(step, 1, isFolded);
      if (isFolded) line = last + 1;
      else add(null, last - step.firstLine, false);
    });
    add(null, total - line + 1, false);
    this.segments = segments;
    this.height = top;
  }

  /** The step that a line belongs to; `null`: it is before the first one. */
  stepOf(line: number): LogStep | null {
    return this.steps[firstWhere(this.steps, ({ firstLine }) => firstLine > line) - 1] ?? null;
  }

  /** Where a row begins, in pixels; of a hidden line, that of its step. */
  topOf(line: number): number {
    const segment = this.segments[firstWhere(this.segments, ({ firstLine }) => firstLine > line) - 1];
    if (segment === undefined) return 0;
    return (
      segment.top + (segment.step === null ? Math.min(line - segment.firstLine, segment.count - 1) * LINE : 0)
    );
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
      const skipped = Math.max(Math.floor((from - top) / LINE), 0);
      const end = Math.min(count, Math.ceil((to - top) / LINE));
      if (skipped < end) start ??= top + skipped * LINE;
      for (let n = skipped; n < end; n += 1) rows.push({ line: firstLine + n, step: null, isFolded: false });
    }
    return { rows, top: start ?? 0 };
  }

  private lastLineOf(index: number, total: number): number {
    return Math.min((this.steps[index + 1]?.firstLine ?? total + 1) - 1, total);
  }
}
