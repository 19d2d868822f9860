import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BlobsModule } from '../blobs/blobs.module.js';
import { BlobVariant } from './blob-variant.entity.js';
import { BlobVariantsService } from './blob-variants.service.js';
import { BlobVariantsWorker } from './blob-variants.worker.js';
import { QuickVariantsService } from './quick-variants.service.js';
import { VariantMaker } from './variant-maker.js';

@Module({
  imports: [TypeOrmModule.forFeature([BlobVariant]), BlobsModule],
  providers: [BlobVariantsService, BlobVariantsWorker, QuickVariantsService, VariantMaker],
  exports: [BlobVariantsService, BlobVariantsWorker, QuickVariantsService],
})
export class BlobVariantsModule {}
