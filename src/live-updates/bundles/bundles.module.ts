import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { BuildsModule } from '../../native-builds/builds/builds.module.js';
import { BlobVariantsModule } from '../../storage/blob-variants/blob-variants.module.js';
import { BlobsModule, StagingMulterModule } from '../../storage/blobs/blobs.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { Bundle } from './bundle.entity.js';
import { BundleDownloadsController } from './bundle-downloads.controller.js';
import { BundleDownloadsQueries } from './bundle-downloads.queries.js';
import { BundleFile } from './bundle-file.entity.js';
import { BundleFilesController } from './bundle-files.controller.js';
import { BundleFilesQueries } from './bundle-files.queries.js';
import { BundleFilesService } from './bundle-files.service.js';
import { BundlePublicationService } from './bundle-publication.service.js';
import { BundleVerificationService } from './bundle-verification.service.js';
import { BundlesController } from './bundles.controller.js';
import { BundlesService } from './bundles.service.js';
import { DamagedFilesController } from './damaged-files.controller.js';
import { DamagedFilesQueries } from './damaged-files.queries.js';
import { FileUpload } from './file-upload.entity.js';
import { FileUploadsService } from './file-uploads.service.js';
import { LegalHoldsController } from './legal-holds.controller.js';
import { LegalHoldsService } from './legal-holds.service.js';
import { StorageCleaningService } from './storage-cleaning.service.js';
import { UploadPart } from './upload-part.entity.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Bundle, BundleFile, FileUpload, UploadPart]),
    StagingMulterModule,
    BlobsModule,
    BlobVariantsModule,
    BuildsModule,
    BuildArtifactsModule,
    ChannelsModule,
    DeploymentsModule,
  ],
  controllers: [
    BundlesController,
    BundleFilesController,
    BundleDownloadsController,
    DamagedFilesController,
    LegalHoldsController,
  ],
  providers: [
    BundlesService,
    BundlePublicationService,
    BundleVerificationService,
    BundleFilesService,
    BundleFilesQueries,
    FileUploadsService,
    BundleDownloadsQueries,
    DamagedFilesQueries,
    LegalHoldsService,
    StorageCleaningService,
  ],
  exports: [FileUploadsService],
})
export class BundlesModule {}
