import { Injectable } from '@nestjs/common';
import { BackgroundLoop } from '../../common/background/background-loop.js';
import { makeClaimed } from '../../common/background/claimed-rows.js';
import { AccountTurns } from '../../common/background/account-turns.js';
import { BlobsService } from '../blobs/blobs.service.js';
import { BlobVariantsQueries } from './blob-variants.queries.js';
import { VariantMaker } from './variant-maker.js';

/** How often it looks for what processes that have ended left undone, in milliseconds. */
const LOOKS_EVERY = 30_000;
/** A bundle has up to 40,000 of them: who looks for those of others reads them all. */
const VARIANTS_IN_A_TURN = 20;

/**
 * Makes variants in the best quality in the background of a server, one at a time, so that three of zlib's four threads
 * stay free for requests. Wake it after the transaction that requests variants.
 */
@Injectable()
export class BlobVariantsWorker extends BackgroundLoop {
  private readonly turns = new AccountTurns(VARIANTS_IN_A_TURN);

  constructor(
    private readonly queries: BlobVariantsQueries,
    private readonly blobs: BlobsService,
    private readonly maker: VariantMaker,
  ) {
    super();
  }

  /** Leaves what it is doing to the next process when the server stops. */
  protected override async round(stopping: AbortSignal): Promise<number> {
    await makeClaimed(this.queries, this.turns, stopping, this.logger, async ({ blobId, encoding }) =>
      this.maker.make(await this.blobs.get(blobId), encoding, 'best', stopping),
    );
    return LOOKS_EVERY;
  }
}
