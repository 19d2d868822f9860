import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { UsersModule } from '../../accounts/users/users.module.js';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { RepositoryModule } from '../../apps/repository/repository.module.js';
import { JobQueuesModule } from '../../jobs/job-queues/job-queues.module.js';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { BuildArtifactsModule } from '../build-artifacts/build-artifacts.module.js';
import { BuildSourcesModule } from '../build-sources/build-sources.module.js';
import { BuildNumbersModule } from '../build-numbers/build-numbers.module.js';
import { AdHocVariables } from './ad-hoc-variables.service.js';
import { BuildEvents } from './build-events.service.js';
import { ActivitiesModule } from '../../organizations/activities/activities.module.js';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { ConfigurationsModule } from '../configurations/configurations.module.js';
import { EnvironmentValuesModule } from '../environment-values/environment-values.module.js';
import { EnvironmentsModule } from '../environments/environments.module.js';
import { ProvisioningProfilesModule } from '../provisioning-profiles/provisioning-profiles.module.js';
import { UseRestrictionsModule } from '../use-restrictions/use-restrictions.module.js';
import { BuildCertificates } from '../build-settings/build-certificates.service.js';
import { BuildSettingsService } from '../build-settings/build-settings.service.js';
import { BuildNumbersQueries } from './build-numbers.queries.js';
import { BuildNumbersWorker } from './build-numbers.worker.js';
import { BuildCreationService } from './build-creation.service.js';
import { Build } from './build.entity.js';
import { BuildsPresenter } from './builds.presenter.js';
import { BuildCachesController } from './build-caches.controller.js';
import { BuildsController } from './builds.controller.js';
import { BuildsService } from './builds.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Build]),
    AppAccessModule,
    AppsModule,
    BuildArtifactsModule,
    BuildSourcesModule,
    JobQueuesModule,
    JobsModule,
    UsersModule,
    RepositoryModule,
    BuildNumbersModule,
    EnvironmentsModule,
    EnvironmentValuesModule,
    CertificatesModule,
    ProvisioningProfilesModule,
    ConfigurationsModule,
    UseRestrictionsModule,
    ActivitiesModule,
  ],
  controllers: [BuildCachesController, BuildsController],
  providers: [
    BuildsService,
    BuildsPresenter,
    BuildCreationService,
    AdHocVariables,
    BuildEvents,
    BuildSettingsService,
    BuildCertificates,
    BuildNumbersQueries,
    BuildNumbersWorker,
  ],
  exports: [
    BuildCreationService,
    BuildsService,
    BuildsPresenter,
    AdHocVariables,
    BuildEvents,
    BuildSettingsService,
  ],
})
export class BuildsModule {}
