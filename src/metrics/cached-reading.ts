import { orAfter } from '../common/background/or-after.js';

/** How long the database may take, in milliseconds: the other metrics must not wait longer for it. */
const TIMEOUT = 2000;

/** What the database says for one or more metrics. It is asked once at a time, and the result is used for a while. */
export class CachedReading<T extends object> {
  private result: T | null = null;
  private validUntil = 0;
  private reading: Promise<void> | null = null;

  /**
   * @param maxAge how long a result is used, in milliseconds
   * @param timeout how long a scrape waits for it, in milliseconds
   */
  constructor(
    private readonly query: () => Promise<T>,
    private readonly maxAge: number,
    private readonly timeout = TIMEOUT,
  ) {}

  /** @returns `null` when the database fails, or does not respond in time. Never rejects. */
  async read(): Promise<T | null> {
    if (performance.now() < this.validUntil) return this.result;
    this.reading ??= this.renew().finally(() => (this.reading = null));
    await orAfter(this.reading, this.timeout, undefined);
    return this.reading === null ? this.result : null;
  }

  private async renew(): Promise<void> {
    try {
      this.result = await this.query();
      this.validUntil = performance.now() + this.maxAge;
    } catch {
      this.result = null;
    }
  }
}
