import { Injectable, Logger } from '@nestjs/common';
import { BackgroundTask } from '../../common/background/background-task.js';
import { makeClaimed } from '../../common/background/claimed-rows.js';
import { RestingLoop } from '../../common/background/resting-loop.js';
import { BlobsService } from '../blobs/blobs.service.js';
import { BlobVariantsQueries, type ClaimedVariant } from './blob-variants.queries.js';
import { VariantMaker } from './variant-maker.js';

/** How often it looks for what processes that have ended left undone, in milliseconds. */
const LOOKS_EVERY = 30_000;

/**
 * Makes variants in the best quality in the background of a server, one at a time, so that three of zlib's four threads
 * stay free for requests. What is to be made stands in the database: nothing is lost with the process, and replicas share
 * the work.
 */
@Injectable()
export class BlobVariantsWorker extends BackgroundTask {
  private readonly logger = new Logger(BlobVariantsWorker.name);
  private readonly loop = new RestingLoop(BlobVariantsWorker.name, (stopping) => this.makeAll(stopping));

  constructor(
    private readonly queries: BlobVariantsQueries,
    private readonly blobs: BlobsService,
    private readonly maker: VariantMaker,
  ) {
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
    const make = async ({ blobId, encoding }: ClaimedVariant): Promise<void> =>
      this.maker.make(await this.blobs.get(blobId), encoding, 'best', stopping);
    await makeClaimed(this.queries, make, stopping, this.logger);
    return LOOKS_EVERY;
  }
}
