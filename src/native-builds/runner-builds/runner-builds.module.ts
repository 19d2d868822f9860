import { Module } from '@nestjs/common';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { RepositoryModule } from '../../apps/repository/repository.module.js';
import { RunnerJobsModule } from '../../jobs/runner-jobs/runner-jobs.module.js';
import { JobLogsModule } from '../../jobs/job-logs/job-logs.module.js';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { RateLimitsModule } from '../../rate-limits/rate-limits.module.js';
import { BlobDownloadsModule } from '../../storage/blob-downloads/blob-downloads.module.js';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { UploadsModule } from '../../storage/uploads/uploads.module.js';
import { ArtifactDetailsModule } from '../artifact-details/artifact-details.module.js';
import { BuildArtifactsModule } from '../build-artifacts/build-artifacts.module.js';
import { BuildSourcesModule } from '../build-sources/build-sources.module.js';
import { BuildsModule } from '../builds/builds.module.js';
import { BuildJobKind } from './build-job-kind.service.js';
import { BuildPayloadService } from './build-payload.service.js';
import { BuildUses } from './build-uses.service.js';
import { BundleSigner } from './bundle-signer.service.js';
import { ReadFindings } from './read-findings.service.js';
import { RunnerArtifactsController } from './runner-artifacts.controller.js';
import { RunnerArtifactsService } from './runner-artifacts.service.js';
import { RunnerBuildsController } from './runner-builds.controller.js';
import { RunnerBuildsService } from './runner-builds.service.js';

@Module({
  imports: [
    AppAccessModule,
    AppsModule,
    ArtifactDetailsModule,
    BlobDownloadsModule,
    BlobsModule,
    BuildArtifactsModule,
    BuildSourcesModule,
    BuildsModule,
    RateLimitsModule,
    RepositoryModule,
    RunnerJobsModule,
    JobLogsModule,
    JobsModule,
    UploadsModule,
  ],
  controllers: [RunnerBuildsController, RunnerArtifactsController],
  providers: [
    BuildJobKind,
    BuildPayloadService,
    BuildUses,
    BundleSigner,
    ReadFindings,
    RunnerArtifactsService,
    RunnerBuildsService,
  ],
})
export class RunnerBuildsModule {}
