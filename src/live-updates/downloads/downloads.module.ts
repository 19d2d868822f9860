import { Module } from '@nestjs/common';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { BlobDownloadsModule } from '../../storage/blob-downloads/blob-downloads.module.js';
import { BundlesModule } from '../bundles/bundles.module.js';
import { BundleDownloadsController } from './bundle-downloads.controller.js';
import { BundleDownloadsQueries } from './bundle-downloads.queries.js';

@Module({
  imports: [BlobDownloadsModule, BuildArtifactsModule, BundlesModule],
  controllers: [BundleDownloadsController],
  providers: [BundleDownloadsQueries],
})
export class DownloadsModule {}
