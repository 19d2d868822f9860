import { Module } from '@nestjs/common';
import { DestinationsModule } from '../../app-submissions/destinations/destinations.module.js';
import { ReleasesModule } from '../../app-submissions/releases/releases.module.js';
import { SubmissionsModule } from '../../app-submissions/submissions/submissions.module.js';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { ArtifactDetailsModule } from '../../native-builds/artifact-details/artifact-details.module.js';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { BuildRetentionModule } from '../../native-builds/build-retention/build-retention.module.js';
import { BuildsModule } from '../../native-builds/builds/builds.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { StoreDeploymentsPresenter } from './store-deployments.presenter.js';
import { StoreDeploymentsQueries } from './store-deployments.queries.js';
import { StoreDeploymentsService } from './store-deployments.service.js';
import { SubmissionContentService } from './submission-content.service.js';
import { SubmissionHolds } from './submission-holds.service.js';
import { SubmittedFilesService } from './submitted-files.service.js';

@Module({
  imports: [
    ArtifactDetailsModule,
    BlobsModule,
    BuildArtifactsModule,
    BuildRetentionModule,
    BuildsModule,
    DestinationsModule,
    JobsModule,
    ReleasesModule,
    SubmissionsModule,
  ],
  providers: [
    StoreDeploymentsService,
    StoreDeploymentsPresenter,
    StoreDeploymentsQueries,
    SubmittedFilesService,
    SubmissionContentService,
    SubmissionHolds,
  ],
  exports: [StoreDeploymentsService, StoreDeploymentsPresenter],
})
export class StoreDeploymentsModule {}
