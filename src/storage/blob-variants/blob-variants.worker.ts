import { Injectable, Logger } from '@nestjs/common';
import { makeClaimed } from '../../common/background/claimed-rows.js';
import { RestingLoop } from '../../common/background/resting-loop.js';
import { BlobsService } from '../blobs/blobs.service.js';
import { BlobVariantsQueries } from './blob-variants.queries.js';
import { VariantMaker } from './variant-maker.js';

/** How often it looks for what processes that have ended left undone, in milliseconds. */
const LOOKS_EVERY = 30_000;

/**
 * Makes variants in the best quality in the background of a server, one at a time, so that three of zlib's four threads
 * stay free for requests. Wake it after the transaction that requests variants.
 */
@Injectable()
export class BlobVariantsWorker extends RestingLoop {
  constructor(queries: BlobVariantsQueries, blobs: BlobsService, maker: VariantMaker) {
    const logger = new Logger(BlobVariantsWorker.name);
    super(BlobVariantsWorker.name, async (stopping) => {
      await makeClaimed(queries, stopping, logger, async ({ blobId, encoding }) =>
        maker.make(await blobs.get(blobId), encoding, 'best', stopping),
      );
      return LOOKS_EVERY;
    });
  }
}
