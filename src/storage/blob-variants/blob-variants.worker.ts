import { Injectable, Logger } from '@nestjs/common';
import { BackgroundTask } from '../../common/background/background-task.js';
import { RestingLoop } from '../../common/background/resting-loop.js';
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
  private readonly loop = new RestingLoop(BlobVariantsWorker.name, (stopping) => this.makeAll(stopping));

  constructor(private readonly variants: BlobVariantsService) {
    super();
  }

  override start(): Promise<void> {
    this.loop.start();
    return Promise.resolve();
  }

  /** Says that there is something to do. To be called after the transaction that has asked for it. */
  wake(): void {
    this.loop.wake();
  }

  /** Leaves what it is doing to the next process. */
  override stop(): Promise<void> {
    return this.loop.stop();
  }

  private async makeAll(stopping: AbortSignal): Promise<number> {
    while (!stopping.aborted) {
      const claimed = await this.variants.claim();
      if (claimed === null) break;
      await this.variants.make(claimed, stopping).catch((error: unknown) => {
        if (!stopping.aborted) this.logger.warn({ err: error }, 'A variant was not made');
      });
    }
    return LOOKS_EVERY;
  }
}
