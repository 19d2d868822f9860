import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { BlobsModule, StagingMulterModule } from '../../storage/blobs/blobs.module.js';
import { StorageQuotasModule } from '../../storage/quotas/storage-quotas.module.js';
import { UploadsModule } from '../../storage/uploads/uploads.module.js';
import { BundlesModule } from '../bundles/bundles.module.js';
import { BundleFile } from './bundle-file.entity.js';
import { BundleFilesController } from './bundle-files.controller.js';
import { BundleFilesService } from './bundle-files.service.js';
import { FileUploadsService } from './file-uploads.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([BundleFile]),
    StagingMulterModule,
    BlobsModule,
    StorageQuotasModule,
    UploadsModule,
    BuildArtifactsModule,
    BundlesModule,
  ],
  controllers: [BundleFilesController],
  providers: [BundleFilesService, FileUploadsService],
})
export class BundleFilesModule {}
