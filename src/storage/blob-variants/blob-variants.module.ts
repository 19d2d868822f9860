import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BlobsModule } from '../blobs/blobs.module.js';
import { BlobVariant } from './blob-variant.entity.js';
import { BlobVariantsService } from './blob-variants.service.js';
import { BlobVariantsWorker } from './blob-variants.worker.js';

@Module({
  imports: [TypeOrmModule.forFeature([BlobVariant]), BlobsModule],
  providers: [BlobVariantsService, BlobVariantsWorker],
  exports: [BlobVariantsService, BlobVariantsWorker],
})
export class BlobVariantsModule {}
