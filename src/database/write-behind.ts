import { setTimeout as sleep } from 'node:timers/promises';
import { outsideTransaction } from './transactions/transaction.js';

/**
 * Writes to the database what its owner collects in memory: a moment after the first change, one write after the other,
 * and in no transaction of the request that happens to trigger it.
 */
export class WriteBehind {
  /** Whether the last attempt to write has failed. */
  isFailing = false;
  private timer: NodeJS.Timeout | undefined;
  private writing: Promise<void> | null = null;

  /**
   * @param waiting how much is not written yet; called for every change
   * @param write what waits, and keeps what cannot be written; returns false when the database could not be used
   * @param delay milliseconds between the first change and its write: what a crash may lose
   * @param retryDelay the same after a failed attempt
   * @param batch is written immediately when so much waits, unless the last attempt has failed
   */
  constructor(
    private readonly waiting: () => number,
    private readonly write: () => Promise<boolean>,
    private readonly delay: number,
    private readonly retryDelay = delay,
    private readonly batch = Infinity,
  ) {}

  /** To be called after every change. */
  schedule(): void {
    if (this.writing !== null) return;
    const waiting = this.waiting();
    if (waiting === 0) return;
    if (waiting >= this.batch && !this.isFailing) void this.writeNow();
    else
      this.timer ??= setTimeout(
        () => void this.writeNow(),
        this.isFailing ? this.retryDelay : this.delay,
      ).unref();
  }

  /** Resolves when what was collected before the call is written, or cannot be. Never rejects. */
  async flush(): Promise<void> {
    await this.writing;
    if (this.waiting() > 0) await this.writeNow();
  }

  /**
   * As `flush`, when there are no more changes.
   *
   * @param patience milliseconds in which it tries again what could not be written
   */
  async stop(patience = 0): Promise<void> {
    const deadline = performance.now() + patience;
    await this.flush();
    while (this.waiting() > 0 && performance.now() < deadline) {
      await sleep(this.retryDelay);
      await this.flush();
    }
    clearTimeout(this.timer);
  }

  private writeNow(): Promise<void> {
    clearTimeout(this.timer);
    this.timer = undefined;
    this.writing ??= outsideTransaction(this.write).then((done) => {
      this.writing = null;
      this.isFailing = !done;
      this.schedule();
    });
    return this.writing;
  }
}
