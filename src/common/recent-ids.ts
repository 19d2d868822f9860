/** Ids that one process keeps at most: about 5 MB of UUIDs, and 10 MB of versions of objects. */
const MAX_IDS = 50_000;

/**
 * Ids that were added in the running period, such as the UTC day, in the memory of one process. All of them are forgotten
 * when the next period begins, or when there are too many.
 */
export class RecentIds {
  private readonly ids = new Set<string>();
  private period = -1;

  /** @param length of a period, in milliseconds */
  constructor(
    private readonly length: number,
    private readonly max = MAX_IDS,
  ) {}

  /** @param now Unix milliseconds */
  has(id: string, now = Date.now()): boolean {
    this.forget(now);
    return this.ids.has(id);
  }

  /** @param now Unix milliseconds */
  add(id: string, now = Date.now()): void {
    this.forget(now);
    if (this.ids.size >= this.max) this.ids.clear();
    this.ids.add(id);
  }

  private forget(now: number): void {
    const period = Math.floor(now / this.length);
    if (period === this.period) return;
    this.period = period;
    this.ids.clear();
  }
}
