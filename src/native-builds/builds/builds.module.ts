import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { RepositoryModule } from '../../apps/repository/repository.module.js';
import { JobQueuesModule } from '../../jobs/job-queues/job-queues.module.js';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { BuildArtifactsModule } from '../build-artifacts/build-artifacts.module.js';
import { BuildSettingsModule } from '../build-settings/build-settings.module.js';
import { BuildSourcesModule } from '../build-sources/build-sources.module.js';
import { AdHocVariablesModule } from '../ad-hoc-variables/ad-hoc-variables.module.js';
import { BuildNumberRequestsModule } from '../store-build-numbers/build-number-requests.module.js';
import { BuildCreationService } from './build-creation.service.js';
import { Build } from './build.entity.js';
import { BuildsPresenter } from './builds.presenter.js';
import { BuildsController } from './builds.controller.js';
import { BuildsService } from './builds.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Build]),
    AdHocVariablesModule,
    AppAccessModule,
    AppsModule,
    BuildArtifactsModule,
    BuildSettingsModule,
    BuildSourcesModule,
    JobQueuesModule,
    JobsModule,
    RepositoryModule,
    BuildNumberRequestsModule,
  ],
  controllers: [BuildsController],
  providers: [BuildsService, BuildsPresenter, BuildCreationService],
  exports: [BuildsService, BuildsPresenter],
})
export class BuildsModule {}
