import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BlobsModule, StagingMulterModule } from '../blobs/blobs.module.js';
import { StorageQuotasQueries } from './storage-quotas.queries.js';
import { StorageQuotasService } from './storage-quotas.service.js';
import { StaleUploadsQueries } from './stale-uploads.queries.js';
import { StaleUploadsService } from './stale-uploads.service.js';
import { StorageCleaning } from './storage-cleaning.js';
import { StorageGarbageService } from './storage-garbage.service.js';
import { Upload } from './upload.entity.js';
import { UploadPart } from './upload-part.entity.js';
import { UploadStorageService } from './upload-storage.service.js';
import { UploadsService } from './uploads.service.js';

/** Files that arrive in one request or in parts, for every area that takes large ones. Exports what their controllers need. */
@Module({
  imports: [TypeOrmModule.forFeature([Upload, UploadPart]), BlobsModule, StagingMulterModule],
  providers: [
    UploadsService,
    UploadStorageService,
    StaleUploadsService,
    StaleUploadsQueries,
    StorageGarbageService,
    StorageCleaning,
    StorageQuotasQueries,
    StorageQuotasService,
  ],
  exports: [
    StagingMulterModule,
    UploadsService,
    UploadStorageService,
    StaleUploadsService,
    StorageQuotasService,
  ],
})
export class UploadsModule {}
