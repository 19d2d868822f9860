import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { BackgroundTask } from '../../common/background/background-task.js';
import { BlobVariantsService } from './blob-variants.service.js';

/** How often it looks for what processes that have ended left undone, in milliseconds. */
const LOOKS_EVERY = 30_000;

/**
 * Makes variants in the background of a server, one at a time, so that three of zlib's four threads stay free for
 * requests. What is to be made stands in the database: nothing is lost with the process, and replicas share the work.
 */
@Injectable()
export class BlobVariantsWorker extends BackgroundTask {
  private readonly logger = new Logger(BlobVariantsWorker.name);
  private readonly stopping = new AbortController();
  private resting = new AbortController();
  private running: Promise<void> | undefined;

  constructor(private readonly variants: BlobVariantsService) {
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
      await this.makeAll().catch((error: unknown) => {
        this.logger.warn({ err: error }, 'Variants could not be looked for');
      });
      if (this.stopping.signal.aborted) return;
      const { signal } = this.resting;
      await sleep(LOOKS_EVERY, undefined, { ref: false, signal }).catch(() => undefined);
    }
  }

  private async makeAll(): Promise<void> {
    while (!this.stopping.signal.aborted) {
      const claimed = await this.variants.claim();
      if (claimed === null) return;
      await this.variants.make(claimed, this.stopping.signal).catch((error: unknown) => {
        if (!this.stopping.signal.aborted) this.logger.warn({ err: error }, 'A variant was not made');
      });
    }
  }
}
