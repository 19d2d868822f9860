import { Global, Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DestinationsModule } from '../../app-submissions/destinations/destinations.module.js';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { JobLogsModule } from '../../jobs/job-logs/job-logs.module.js';
import { BuildDeployments } from '../../native-builds/builds/build-deployments.js';
import { BuildsModule } from '../../native-builds/builds/builds.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { StoreDeploymentsModule } from '../store-deployments/store-deployments.module.js';
import { BuildDeployment } from './build-deployment.entity.js';
import { BuildDeploymentsWorker } from './build-deployments.worker.js';
import { BuildDeploymentsService } from './build-deployments.service.js';

/** Global because it provides `BuildDeployments` to builds, which may not import this area. */
@Global()
@Module({
  imports: [
    TypeOrmModule.forFeature([BuildDeployment]),
    AppAccessModule,
    AppsModule,
    BuildsModule,
    ChannelsModule,
    DeploymentsModule,
    DestinationsModule,
    JobLogsModule,
    StoreDeploymentsModule,
  ],
  providers: [{ provide: BuildDeployments, useClass: BuildDeploymentsService }, BuildDeploymentsWorker],
  exports: [BuildDeployments],
})
export class BuildDeploymentsModule {}
