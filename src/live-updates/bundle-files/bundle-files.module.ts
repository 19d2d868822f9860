import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { BlobsModule, StagingMulterModule } from '../../storage/blobs/blobs.module.js';
import { BundlesModule } from '../bundles/bundles.module.js';
import { BundleFile } from './bundle-file.entity.js';
import { BundleFilesController } from './bundle-files.controller.js';
import { BundleFilesService } from './bundle-files.service.js';
import { FileUpload } from './file-upload.entity.js';
import { FileUploadsService } from './file-uploads.service.js';
import { StorageCleaningService } from './storage-cleaning.service.js';
import { UploadPart } from './upload-part.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([BundleFile, FileUpload, UploadPart]),
    StagingMulterModule,
    BlobsModule,
    BuildArtifactsModule,
    BundlesModule,
  ],
  controllers: [BundleFilesController],
  providers: [BundleFilesService, FileUploadsService, StorageCleaningService],
  exports: [FileUploadsService],
})
export class BundleFilesModule {}
