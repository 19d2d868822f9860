import { Module } from '@nestjs/common';
import { MulterModule } from '@nestjs/platform-express';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Blob } from './blob.entity.js';
import { BlobsService } from './blobs.service.js';
import { StagingEngine } from './staging-engine.js';

/**
 * Largest file part of one request, in bytes. Clients send up to 50 MiB at once (older ones) or parts of 10 MiB;
 * larger files use the upload in parts.
 */
const MAX_PART_BYTES = 64 * 1024 * 1024;

@Module({
  imports: [TypeOrmModule.forFeature([Blob])],
  providers: [BlobsService, StagingEngine],
  exports: [BlobsService, StagingEngine],
})
export class BlobsModule {}

/** For modules whose controllers take files: their multipart requests stream into storage. */
export const StagingMulterModule = MulterModule.registerAsync({
  imports: [BlobsModule],
  inject: [StagingEngine],
  useFactory: (storage: StagingEngine) => ({
    storage,
    limits: { fileSize: MAX_PART_BYTES, files: 1, fields: 20, parts: 25, fieldSize: 16 * 1024 },
  }),
});
