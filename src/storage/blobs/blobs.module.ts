import type { Readable, Writable } from 'node:stream';
import { Module } from '@nestjs/common';
import { MulterModule } from '@nestjs/platform-express';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { Request } from 'express';
import { invalidField } from '../../common/errors/app-error.js';
import { Blob } from './blob.entity.js';
import { BlobChecksService } from './blob-checks.service.js';
import { BlobCollectorQueries } from './blob-collector.queries.js';
import { BlobCollectorService } from './blob-collector.service.js';
import { BlobDamageQueries } from './blob-damage.queries.js';
import { BlobRepairsService } from './blob-repairs.service.js';
import { BlobsQueries } from './blobs.queries.js';
import { BlobsService } from './blobs.service.js';
import { DamagedBlobsWorker } from './damaged-blobs.worker.js';
import { DeletedObject } from './deleted-object.entity.js';
import { ScrubQueue } from './scrub-queue.js';
import { ScrubberService } from './scrubber.service.js';
import { StagingEngine } from './staging-engine.js';

/**
 * Largest file part of one request, in bytes. Clients send up to 50 MiB at once (older ones) or parts of 10 MiB;
 * larger files use the upload in parts.
 */
const MAX_PART_BYTES = 64 * 1024 * 1024;

/** Multer drops files without a name silently, which would make of an uploaded file an announced one. */
function parseWithFileNames(request: Request, parser: Writable): void {
  parser.on('file', (field: string, _stream: Readable, { filename }: { filename?: string }) => {
    if (!filename) {
      parser.emit('error', invalidField(field, `${field} must be sent as a file, with a file name.`));
    }
  });
  request.pipe(parser);
}

@Module({
  imports: [TypeOrmModule.forFeature([Blob, DeletedObject])],
  providers: [
    BlobsService,
    BlobsQueries,
    BlobChecksService,
    BlobDamageQueries,
    BlobRepairsService,
    BlobCollectorService,
    BlobCollectorQueries,
    DamagedBlobsWorker,
    ScrubberService,
    ScrubQueue,
    StagingEngine,
  ],
  exports: [
    BlobsService,
    BlobChecksService,
    BlobRepairsService,
    BlobCollectorService,
    ScrubberService,
    ScrubQueue,
    StagingEngine,
  ],
})
export class BlobsModule {}

/** For modules whose controllers take files: their multipart requests stream into storage. */
export const StagingMulterModule = MulterModule.registerAsync({
  imports: [BlobsModule],
  inject: [StagingEngine],
  useFactory: (storage: StagingEngine) => ({
    storage,
    streamHandler: parseWithFileNames,
    limits: {
      fileSize: MAX_PART_BYTES,
      files: 1,
      fields: 20,
      parts: 25,
      fieldSize: 16 * 1024,
      fieldNameSize: 100,
    },
  }),
});
