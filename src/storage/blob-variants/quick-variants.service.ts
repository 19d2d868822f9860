import { Injectable, Logger } from '@nestjs/common';
import { Limits } from '../../common/background/limits.js';
import { ServerBusyError } from '../../common/errors/app-error.js';
import { Config } from '../../config/config.js';
import { BlobVariantsQueries, type PendingVariant } from './blob-variants.queries.js';
import { VariantMaker } from './variant-maker.js';

/**
 * Makes variants quickly, so that devices get compressed files from the first download on. A publication waits for
 * it, for a limited time; what is left, and the best quality, is the work of `BlobVariantsWorker`.
 */
@Injectable()
export class QuickVariantsService {
  private readonly logger = new Logger(QuickVariantsService.name);

  constructor(
    private readonly config: Config,
    private readonly queries: BlobVariantsQueries,
    private readonly maker: VariantMaker,
    // Two at once: with that of the worker, one of zlib's four threads stays free for requests.
    private readonly limits: Limits,
  ) {}

  /** Begins the time that one publication may spend: aborted when it has passed. */
  startTimeLimit(): AbortSignal {
    const seconds = this.config.storage.publishCompressionSeconds;
    return seconds === 0 ? AbortSignal.abort() : AbortSignal.timeout(seconds * 1000);
  }

  /**
   * Requests variants of blobs, and makes those that do not exist yet. To be called outside of transactions.
   *
   * @param timeLimit what is not finished then stays pending
   */
  async make(blobIds: readonly string[], timeLimit: AbortSignal): Promise<void> {
    if (timeLimit.aborted) return;
    await this.neverFailing(async () => {
      await this.queries.request(blobIds);
      await this.makePending(blobIds, timeLimit);
    });
  }

  /** As `make`, of blobs whose variants were requested already; of others, it makes none. */
  async makeRequested(blobIds: readonly string[], timeLimit: AbortSignal): Promise<void> {
    if (timeLimit.aborted) return;
    await this.neverFailing(() => this.makePending(blobIds, timeLimit));
  }

  /** A publication does not fail because of its compression, nor is it reported as failed when it has been committed. */
  private async neverFailing(work: () => Promise<void>): Promise<void> {
    await work().catch((error: unknown) => {
      this.logger.warn({ err: error }, 'A bundle was not compressed before its publication');
    });
  }

  private async makePending(blobIds: readonly string[], timeLimit: AbortSignal): Promise<void> {
    const pending = await this.queries.pending(blobIds);
    const made = pending.map((variant) =>
      this.limits
        .run('quick-compression', variant.organizationId, () => this.makeOne(variant, timeLimit), {
          signal: timeLimit,
        })
        .catch((error: unknown) => {
          if (!timeLimit.aborted && !(error instanceof ServerBusyError)) throw error;
        }),
    );
    // Other publications may be in front: this one does not wait for them when its time has passed.
    await Promise.race([Promise.all(made), aborted(timeLimit)]);
  }

  private async makeOne({ encoding, ...blob }: PendingVariant, timeLimit: AbortSignal): Promise<void> {
    if (timeLimit.aborted) return;
    await this.maker.make(blob, encoding, 'quick', timeLimit).catch((error: unknown) => {
      if (!timeLimit.aborted) this.logger.warn({ blobId: blob.id, err: error }, 'A variant was not made');
    });
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
