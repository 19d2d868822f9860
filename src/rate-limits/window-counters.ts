/** The decision about one call. */
export interface Verdict {
  readonly admitted: boolean;
  /** Calls left in this window. */
  readonly remaining: number;
  /** Seconds until the next window, at least 1. */
  readonly resetSeconds: number;
}

/** Calls that were admitted here, to be sent to the other replicas. */
export interface Deltas {
  /** Start of the window in which they were admitted, in Unix milliseconds. */
  readonly window: number;
  readonly counts: ReadonlyMap<string, number>;
}

interface Count {
  /** Calls that all replicas have admitted, as of the last exchange. */
  known: number;
  /** Calls of this replica that are being sent. */
  sent: number;
  /** Calls of this replica that are not sent yet. */
  own: number;
}

/**
 * Counts admitted calls by key in fixed windows. Only the current window is kept. Refused calls are not counted. Keys
 * beyond the maximum are admitted without being counted, so that a caller with many addresses cannot lock out others.
 */
export class WindowCounters {
  private window = 0;
  private readonly counts = new Map<string, Count>();
  /** Keys with calls that are not sent yet, the longest waiting first. */
  private readonly unsent = new Set<string>();

  /**
   * @param windowMilliseconds length of a window
   * @param maxKeys keys that are counted at once
   */
  constructor(
    private readonly windowMilliseconds: number,
    private readonly maxKeys: number,
  ) {}

  /** Number of keys with calls that are not sent yet. */
  get unsentKeys(): number {
    return this.unsent.size;
  }

  /** Whether keys are admitted without being counted. */
  get isFull(): boolean {
    return this.counts.size >= this.maxKeys;
  }

  /**
   * Counts one call, unless the quota is used up.
   *
   * @param quota calls that one window admits
   * @param now in Unix milliseconds
   */
  take(key: string, quota: number, now: number): Verdict {
    this.moveTo(now);
    const resetSeconds = Math.max(1, Math.ceil((this.window + this.windowMilliseconds - now) / 1000));
    const count = this.counts.get(key) ?? this.begin(key);
    if (count === null) return { admitted: true, remaining: quota - 1, resetSeconds };
    const used = count.known + count.sent + count.own;
    if (used >= quota) return { admitted: false, remaining: 0, resetSeconds };
    count.own += 1;
    this.unsent.add(key);
    return { admitted: true, remaining: quota - used - 1, resetSeconds };
  }

  /**
   * Takes the calls to send. They count as being sent until `learn` or `putBack` is called with them.
   *
   * @param maxKeys keys to take at most; the others wait
   */
  takeUnsent(maxKeys: number, now: number): Deltas {
    this.moveTo(now);
    const counts = new Map<string, number>();
    for (const key of this.unsent) {
      if (counts.size === maxKeys) break;
      const count = this.counts.get(key);
      if (count === undefined) continue;
      counts.set(key, count.own);
      count.sent += count.own;
      count.own = 0;
      this.unsent.delete(key);
    }
    return { window: this.window, counts };
  }

  /** The calls have arrived. @param totals calls of all replicas, by key */
  learn({ window, counts }: Deltas, totals: ReadonlyMap<string, number>): void {
    if (window !== this.window) return;
    for (const [key, sent] of counts) {
      const count = this.counts.get(key);
      if (count === undefined) continue;
      count.sent -= sent;
      count.known = totals.get(key) ?? count.known + sent;
    }
  }

  /** The calls have not arrived; they are sent again. */
  putBack({ window, counts }: Deltas): void {
    if (window !== this.window) return;
    for (const [key, sent] of counts) {
      const count = this.counts.get(key);
      if (count === undefined) continue;
      count.sent -= sent;
      count.own += sent;
      this.unsent.add(key);
    }
  }

  private begin(key: string): Count | null {
    if (this.isFull) return null;
    const count = { known: 0, sent: 0, own: 0 };
    this.counts.set(key, count);
    return count;
  }

  /** Drops the counts of another window. */
  private moveTo(now: number): void {
    const window = now - (now % this.windowMilliseconds);
    if (window === this.window) return;
    this.window = window;
    this.counts.clear();
    this.unsent.clear();
  }
}
