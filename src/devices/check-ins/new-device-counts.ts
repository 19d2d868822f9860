const HOUR = 3_600_000;

/** Counts new devices by key, such as the id of an app, in the current hour. */
export class NewDeviceCounts {
  private hour = 0;
  private readonly counts = new Map<string, number>();
  private most = 0;

  /** @param maxKeys keys that are counted at once; the devices of others are not counted */
  constructor(private readonly maxKeys: number) {}

  /** The largest count. */
  largest(now: number): number {
    this.moveTo(now);
    return this.most;
  }

  /** @param now Unix milliseconds */
  of(key: string, now: number): number {
    this.moveTo(now);
    return this.counts.get(key) ?? 0;
  }

  add(key: string, now: number): void {
    const count = this.of(key, now) + 1;
    if (count === 1 && this.counts.size >= this.maxKeys) return;
    this.counts.set(key, count);
    if (count > this.most) this.most = count;
  }

  private moveTo(now: number): void {
    const hour = Math.floor(now / HOUR);
    if (hour === this.hour) return;
    this.hour = hour;
    this.counts.clear();
    this.most = 0;
  }
}
