import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { BackgroundTask } from '../../common/background/background-task.js';
import { GeneratedZipsQueries } from './generated-zips.queries.js';
import { GeneratedZipsService } from './generated-zips.service.js';

/** How often it looks for what processes that have ended left undone, and for damaged zips, in milliseconds. */
const LOOKS_EVERY = 30_000;
/** How often it looks whether the variants of a bundle are done. */
const LOOKS_EVERY_WHILE_WAITING = 1000;

/**
 * Makes zips in the background of a server, one at a time. What is to be made stands in the database: nothing is lost with
 * the process, and replicas share the work.
 */
@Injectable()
export class GeneratedZipsWorker extends BackgroundTask {
  private readonly logger = new Logger(GeneratedZipsWorker.name);
  private readonly stopping = new AbortController();
  private resting = new AbortController();
  private running: Promise<void> | undefined;

  constructor(
    private readonly zips: GeneratedZipsService,
    private readonly queries: GeneratedZipsQueries,
  ) {
    super();
  }

  override start(): Promise<void> {
    this.running = this.run();
    return Promise.resolve();
  }

  /** Says that there is something to do. To be called after the transaction that has asked for it. */
  wake(): void {
    this.resting.abort();
  }

  /** Leaves what it is doing to the next process. */
  override async stop(): Promise<void> {
    this.stopping.abort();
    this.resting.abort();
    await this.running;
  }

  private async run(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      // Created before the next search, so that no wake-up from now on is lost.
      this.resting = new AbortController();
      const isAnyWaiting = await this.makeAll().catch((error: unknown) => {
        this.logger.warn({ err: error }, 'Zips could not be looked for');
        return false;
      });
      if (this.stopping.signal.aborted) return;
      const { signal } = this.resting;
      const pause = isAnyWaiting ? LOOKS_EVERY_WHILE_WAITING : LOOKS_EVERY;
      await sleep(pause, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  /** @returns whether zips wait for the variants of their files */
  private async makeAll(): Promise<boolean> {
    await this.queries.requestDamaged();
    while (!this.stopping.signal.aborted) {
      const claimed = await this.queries.claim();
      if (claimed === null) return this.queries.isAnyWaiting();
      await this.zips.make(claimed, this.stopping.signal).catch((error: unknown) => {
        if (!this.stopping.signal.aborted) this.logger.warn({ err: error }, 'A zip was not made');
      });
    }
    return false;
  }
}
