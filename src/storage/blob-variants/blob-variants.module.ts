import { Module } from '@nestjs/common';
import { BlobsModule } from '../blobs/blobs.module.js';
import { BlobVariantsQueries } from './blob-variants.queries.js';
import { BlobVariantsWorker } from './blob-variants.worker.js';
import { QuickVariantsService } from './quick-variants.service.js';
import { VariantChecksService } from './variant-checks.service.js';
import { VariantMaker } from './variant-maker.js';

@Module({
  imports: [BlobsModule],
  providers: [
    BlobVariantsQueries,
    BlobVariantsWorker,
    QuickVariantsService,
    VariantChecksService,
    VariantMaker,
  ],
  exports: [BlobVariantsQueries, BlobVariantsWorker, QuickVariantsService, VariantChecksService],
})
export class BlobVariantsModule {}
