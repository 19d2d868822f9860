import { Module } from '@nestjs/common';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { BlobDownloadsModule } from '../../storage/blob-downloads/blob-downloads.module.js';
import { NamedManifestsModule } from '../named-manifests/named-manifests.module.js';
import { BundleDownloadsController } from './bundle-downloads.controller.js';
import { BundleDownloadsQueries } from './bundle-downloads.queries.js';

@Module({
  imports: [BlobDownloadsModule, BuildArtifactsModule, NamedManifestsModule],
  controllers: [BundleDownloadsController],
  providers: [BundleDownloadsQueries],
})
export class DownloadsModule {}
