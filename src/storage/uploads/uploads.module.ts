import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BlobsModule } from '../blobs/blobs.module.js';
import { StaleUploadsService } from './stale-uploads.service.js';
import { StorageGarbageService } from './storage-garbage.service.js';
import { Upload } from './upload.entity.js';
import { UploadPart } from './upload-part.entity.js';
import { UploadsService } from './uploads.service.js';

/** Uploads in parts, for every area that takes large files. */
@Module({
  imports: [TypeOrmModule.forFeature([Upload, UploadPart]), BlobsModule],
  providers: [UploadsService, StaleUploadsService, StorageGarbageService],
  exports: [UploadsService, StaleUploadsService],
})
export class UploadsModule {}
