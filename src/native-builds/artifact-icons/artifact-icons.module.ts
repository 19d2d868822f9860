import { Module } from '@nestjs/common';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { BlobDownloadsModule } from '../../storage/blob-downloads/blob-downloads.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { ArtifactDetailsModule } from '../artifact-details/artifact-details.module.js';
import { BuildArtifactsModule } from '../build-artifacts/build-artifacts.module.js';
import { ArtifactIconsController } from './artifact-icons.controller.js';

@Module({
  imports: [AppAccessModule, ArtifactDetailsModule, BlobDownloadsModule, BlobsModule, BuildArtifactsModule],
  controllers: [ArtifactIconsController],
})
export class ArtifactIconsModule {}
