import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { BlobDownloadsModule } from '../../storage/blob-downloads/blob-downloads.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { ArtifactDetailsModule } from '../artifact-details/artifact-details.module.js';
import { SignedDownloads } from './signed-downloads.service.js';
import { ArtifactHolds } from '../build-retention/artifact-holds.js';
import { BuildRetentionQueries } from '../build-retention/build-retention.queries.js';
import { BuildRetentionService } from '../build-retention/build-retention.service.js';
import { BuildArtifact } from './build-artifact.entity.js';
import { BuildArtifactsController } from './build-artifacts.controller.js';
import { BuildArtifactsPresenter } from './build-artifacts.presenter.js';
import { BuildArtifactsQueries } from './build-artifacts.queries.js';
import { BuildArtifactsService } from './build-artifacts.service.js';
import { DownloadCount } from './download-count.entity.js';
import { DownloadCountsQueries } from './download-counts.queries.js';
import { DownloadCountsService } from './download-counts.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([BuildArtifact, DownloadCount]),
    AppAccessModule,
    ArtifactDetailsModule,
    BlobDownloadsModule,
    BlobsModule,
  ],
  controllers: [BuildArtifactsController],
  providers: [
    BuildArtifactsService,
    BuildArtifactsPresenter,
    BuildArtifactsQueries,
    DownloadCountsService,
    DownloadCountsQueries,
    SignedDownloads,
    BuildRetentionService,
    BuildRetentionQueries,
    ArtifactHolds,
  ],
  exports: [
    BuildArtifactsService,
    BuildArtifactsPresenter,
    DownloadCountsService,
    SignedDownloads,
    ArtifactHolds,
  ],
})
export class BuildArtifactsModule {}
