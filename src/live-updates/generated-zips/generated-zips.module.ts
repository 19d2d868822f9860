import { Module } from '@nestjs/common';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { BlobDownloadsModule } from '../../storage/blob-downloads/blob-downloads.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { BundleOwnersQueries } from '../bundle-content/bundle-owners.queries.js';
import { GeneratedZipsController } from './generated-zips.controller.js';
import { GeneratedZipsQueries } from './generated-zips.queries.js';
import { GeneratedZipsService } from './generated-zips.service.js';
import { GeneratedZipsWorker } from './generated-zips.worker.js';

@Module({
  imports: [BuildArtifactsModule, BlobDownloadsModule, BlobsModule],
  controllers: [GeneratedZipsController],
  providers: [BundleOwnersQueries, GeneratedZipsQueries, GeneratedZipsService, GeneratedZipsWorker],
  exports: [GeneratedZipsService, GeneratedZipsWorker],
})
export class GeneratedZipsModule {}
