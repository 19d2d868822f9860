import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { BackgroundTask } from './background-task.js';

/** How long it rests after a round that failed, in milliseconds. */
const RESTS_AFTER_FAILURE = 30_000;

/** A background task in rounds of work, with a rest after each that can be ended early. */
export abstract class BackgroundLoop extends BackgroundTask {
  protected readonly logger = new Logger(this.constructor.name);
  private readonly stopping = new AbortController();
  private resting = new AbortController();
  private running: Promise<void> | undefined;

  /**
   * Works until there is nothing more to do or the signal is aborted.
   *
   * @returns how long to rest, in milliseconds
   */
  protected abstract round(stopping: AbortSignal): Promise<number>;

  /** Begins the first round. */
  override start(): Promise<void> {
    this.running = this.run();
    return Promise.resolve();
  }

  /** Says that there is something to do. To be called after the transaction that has asked for it. */
  wake(): void {
    this.resting.abort();
  }

  /** Aborts the signal of the round, and waits for its end. */
  override async stop(): Promise<void> {
    this.stopping.abort();
    this.resting.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      // Created before the next round, so that no wake-up from now on is lost.
      this.resting = new AbortController();
      const pause = await this.round(this.stopping.signal).catch((err: unknown) => {
        this.logger.warn({ err }, 'A round of background work failed; the next one follows in 30 seconds');
        return RESTS_AFTER_FAILURE;
      });
      if (this.stopping.signal.aborted) return;
      const { signal } = this.resting;
      await sleep(pause, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }
}
