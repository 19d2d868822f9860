import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../../accounts/users/users.module.js';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { DestinationsModule } from '../../app-submissions/destinations/destinations.module.js';
import { ReleaseHistoryModule } from '../../app-submissions/release-history/release-history.module.js';
import { StoreReleasesModule } from '../../app-submissions/releases/store-releases.module.js';
import { SubmissionsModule } from '../../app-submissions/submissions/submissions.module.js';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { BuildsModule } from '../../native-builds/builds/builds.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { UnsafeReuseModule } from '../unsafe-reuse/unsafe-reuse.module.js';
import { DeploymentHealthQueries } from '../deployment-health/deployment-health.queries.js';
import { RecentHealth } from '../deployment-health/recent-health.js';
import { RollbackSharesQueries } from '../deployment-health/rollback-shares.queries.js';
import { RollbackShares } from '../deployment-health/rollback-shares.task.js';
import { DeploymentEventsQueries } from '../deployment-events/deployment-events.queries.js';
import { DeploymentEvents } from '../deployment-events/deployment-events.service.js';
import { ArtifactDetailsModule } from '../../native-builds/artifact-details/artifact-details.module.js';
import { BuildArtifactsModule } from '../../native-builds/build-artifacts/build-artifacts.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { StoreDeploymentsPresenter } from '../store-deployments/store-deployments.presenter.js';
import { StoreDeploymentsQueries } from '../store-deployments/store-deployments.queries.js';
import { StoreDeploymentsService } from '../store-deployments/store-deployments.service.js';
import { SubmissionContentService } from '../store-deployments/submission-content.service.js';
import { SubmissionHolds } from '../store-deployments/submission-holds.service.js';
import { SubmittedFilesService } from '../store-deployments/submitted-files.service.js';
import { DeploymentChanges } from './deployment-changes.js';
import { DeploymentHealthController } from './deployment-health.controller.js';
import { DeployableBundlesService } from './deployable-bundles.service.js';
import { Deployment } from './deployment.entity.js';
import { DeploymentTransitionsService } from './deployment-transitions.service.js';
import { DeploymentsController } from './deployments.controller.js';
import { DeploymentsPresenter } from './deployments.presenter.js';
import { DeploymentsQueries } from './deployments.queries.js';
import { DeploymentsService } from './deployments.service.js';
import { SeenMaximaService } from './seen-maxima.service.js';
import { StoreDeploymentTransitions } from './stores/store-deployment-transitions.service.js';
import { StoreReleaseRequests } from './stores/store-release-requests.service.js';
import { StoreShareFollower } from './stores/store-share-follower.service.js';
import { StoreDeploymentCreation } from './stores/store-deployment-creation.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Deployment]),
    AppAccessModule,
    AppsModule,
    BuildsModule,
    ChannelsModule,
    DestinationsModule,
    JobsModule,
    ReleaseHistoryModule,
    StoreReleasesModule,
    SubmissionsModule,
    UnsafeReuseModule,
    UsersModule,
    ArtifactDetailsModule,
    BlobsModule,
    BuildArtifactsModule,
  ],
  controllers: [DeploymentsController, DeploymentHealthController],
  providers: [
    DeploymentsService,
    DeployableBundlesService,
    SeenMaximaService,
    DeploymentsQueries,
    DeploymentsPresenter,
    DeploymentTransitionsService,
    DeploymentChanges,
    StoreDeploymentCreation,
    StoreDeploymentTransitions,
    StoreReleaseRequests,
    StoreShareFollower,
    DeploymentEventsQueries,
    DeploymentEvents,
    StoreDeploymentsService,
    StoreDeploymentsPresenter,
    StoreDeploymentsQueries,
    SubmittedFilesService,
    SubmissionContentService,
    SubmissionHolds,
    DeploymentHealthQueries,
    RecentHealth,
    RollbackSharesQueries,
    RollbackShares,
  ],
  exports: [
    DeploymentsService,
    SeenMaximaService,
    DeploymentsPresenter,
    DeploymentTransitionsService,
    DeploymentChanges,
    StoreDeploymentCreation,
    StoreDeploymentTransitions,
    StoreReleaseRequests,
    DeploymentEvents,
    StoreDeploymentsService,
    StoreDeploymentsPresenter,
    DeploymentHealthQueries,
  ],
})
export class DeploymentsModule {}
