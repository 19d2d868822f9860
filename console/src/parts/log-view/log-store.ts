import { type ApiError, isPassing, toApiError } from '../../api/client';
import { type LogLine, type LogPage, type LogRange, type LogStep, readLog, readSteps } from '../../api/logs';

/** What is known of a log. */
export interface LogState {
  readonly isLoaded: boolean;
  readonly total: number;
  readonly isComplete: boolean;
  readonly isDeleted: boolean;
  readonly steps: readonly LogStep[];
  /** Whether the steps were read at least once. */
  readonly hasSteps: boolean;
  /** Why the log is not read at the moment; it is tried again. `null`: it is. */
  readonly problem: ApiError | null;
  /** Goes up with each line that arrives. */
  readonly version: number;
}

/** Lines of one request. */
const LINES = 250;
/** Lines that are kept, and those around the reader that stay when there are more. */
const [MOST_KEPT, KEPT_AROUND] = [20_000, 5000];
/** Between two looks for new lines, in milliseconds: longer while none come. */
const [SHORT, LONG] = [1000, 5000];
/** Until a request is sent again that failed, in milliseconds: longer after each failure. */
const [FIRST_RETRY, LAST_RETRY] = [1000, 10_000];
/** Steps of a log that grows are read again at most this often, in milliseconds. */
const STEPS_AGE = 2000;

/**
 * Reads the log of a job: first its end, then the lines that are looked at, and while it grows what comes. Lines never change
 * and have numbers, so that none is lost or doubled, however often the connection is.
 */
export class LogStore {
  private readonly lines = new Map<number, LogLine>();
  private readonly listeners = new Set<() => void>();
  private current: LogState = {
    isLoaded: false,
    total: 0,
    isComplete: false,
    isDeleted: false,
    steps: [],
    hasSteps: false,
    problem: null,
    version: 0,
  };
  private wanted: readonly [first: number, last: number] = [1, 0];
  private isFetching = false;
  private stepsAt = -Infinity;
  /** Lines that the log had when its steps were read. */
  private stepsOf = 0;
  private wakeUp: (() => void) | null = null;

  constructor(private readonly jobId: string) {}

  readonly subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
  readonly state = (): LogState => this.current;

  /** A line that has arrived. */
  lineAt(number: number): LogLine | undefined {
    return this.lines.get(number);
  }

  /** Reads the log until the signal. */
  async follow(signal: AbortSignal): Promise<void> {
    const wake = (): void => this.wake();
    document.addEventListener('visibilitychange', wake, { signal });
    addEventListener('online', wake, { signal });
    signal.addEventListener('abort', wake);
    let pause = SHORT;
    let failures = 0;
    while (!signal.aborted) {
      try {
        const before = this.current.total;
        await this.readEnd(signal);
        failures = 0;
        if (this.current.isDeleted || this.current.isComplete) return;
        pause = this.current.total > before ? SHORT : Math.min(pause * 1.25, LONG);
      } catch (error) {
        if (signal.aborted) return;
        const problem = toApiError(error);
        this.change({ problem });
        // After a sign-in in another tab, it continues.
        if (!isPassing(problem) && problem.status !== 401) return;
        failures += 1;
        pause = Math.max(
          Math.min(FIRST_RETRY * 2 ** (failures - 1), LAST_RETRY),
          (problem.retryAfter ?? 0) * 1000,
        );
      }
      await this.sleep(pause, signal);
    }
  }

  /** Looks for new lines now. */
  wake(): void {
    this.wakeUp?.();
  }

  /** Sees to it that lines arrive, those that are seen before those around them. */
  want(first: number, last: number): void {
    this.wanted = [Math.max(first, 1), last];
    if (!this.isFetching) void this.fetchWanted();
  }

  /** The last lines at first, then those after them. */
  private async readEnd(signal: AbortSignal): Promise<void> {
    const { isLoaded, total } = this.current;
    const range = { limit: LINES, ...(isLoaded && { after: total }) };
    const [page] = await Promise.all([readLog(this.jobId, range, signal), this.readSteps(signal)]);
    this.keep(page);
    // What came with the last lines belongs to steps, too.
    const isOutdated =
      this.current.total > this.stepsOf || this.current.steps.some(({ endedAt }) => endedAt === null);
    if (page.isComplete && isOutdated && !page.isDeleted) {
      this.stepsAt = -Infinity;
      await this.readSteps(signal);
    }
  }

  private async readSteps(signal: AbortSignal): Promise<void> {
    const { total } = this.current;
    if (performance.now() - this.stepsAt < STEPS_AGE) return;
    const steps = await readSteps(this.jobId, signal);
    // At first, they are as new as the last lines.
    [this.stepsAt, this.stepsOf] = [performance.now(), this.current.isLoaded ? total : Infinity];
    this.change({ steps, hasSteps: true });
  }

  private async fetchWanted(): Promise<void> {
    this.isFetching = true;
    let failures = 0;
    for (let range = this.missing(); range !== null; range = this.missing()) {
      try {
        this.keep(await readLog(this.jobId, range));
        if (this.current.isDeleted || !this.lines.has(range.after! + 1)) break;
        failures = 0;
      } catch (error) {
        const problem = toApiError(error);
        this.change({ problem });
        if (!isPassing(problem)) break;
        failures += 1;
        const wait = Math.min(FIRST_RETRY * 2 ** (failures - 1), LAST_RETRY);
        await new Promise((resolve) => {
          setTimeout(resolve, wait);
          addEventListener('online', resolve, { once: true });
        });
      }
    }
    this.isFetching = false;
  }

  /** The next lines to read; `null`: all that are looked at are there. */
  private missing(): LogRange | null {
    const { total, isDeleted } = this.current;
    if (isDeleted || this.listeners.size === 0) return null;
    const [from, to] = this.wanted;
    const around = Math.floor(LINES / 4);
    for (const [first, last] of [
      [from, to],
      [to + 1, to + around],
      [from - around, from - 1],
    ] as const) {
      for (let line = Math.max(first, 1); line <= Math.min(last, total); line += 1) {
        if (!this.lines.has(line)) return { after: line - 1, limit: LINES };
      }
    }
    return null;
  }

  private keep({ totalLines, isComplete, isDeleted, lines }: LogPage): void {
    for (const line of lines) this.lines.set(line.number, line);
    if (this.lines.size > MOST_KEPT) {
      const [first, last] = this.wanted;
      for (const number of this.lines.keys()) {
        if (number < first - KEPT_AROUND || number > last + KEPT_AROUND) this.lines.delete(number);
      }
    }
    const { total, version } = this.current;
    this.change({
      isLoaded: true,
      total: Math.max(total, totalLines),
      isComplete,
      isDeleted,
      problem: null,
      version: version + 1,
    });
  }

  private change(values: Partial<LogState>): void {
    this.current = { ...this.current, ...values };
    for (const listener of this.listeners) listener();
  }

  /** Waits, or until it is woken; while the page is hidden, until it is shown again. */
  private async sleep(ms: number, signal: AbortSignal): Promise<void> {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (!signal.aborted && document.visibilityState !== 'visible') return;
        clearTimeout(timer);
        resolve();
      };
      const timer = setTimeout(look, ms);
      this.wakeUp = look;
    });
    this.wakeUp = null;
  }
}
