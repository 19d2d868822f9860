import { Global, Module, type Type } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DestinationsModule } from '../../app-submissions/destinations/destinations.module.js';
import { BuildNumbersService } from '../../app-submissions/build-numbers/build-numbers.service.js';
import { StoreBuildNumbersModule } from '../../app-submissions/build-numbers/store-build-numbers.module.js';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { JobLogsModule } from '../../jobs/job-logs/job-logs.module.js';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { StoreBuildNumbers } from '../../native-builds/build-numbers/store-build-numbers.js';
import { BuildDeployments } from '../../native-builds/builds/build-deployments.js';
import { BuildsModule } from '../../native-builds/builds/builds.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { BuildDeployment } from './build-deployment.entity.js';
import { BuildDeploymentsQueries } from './build-deployments.queries.js';
import { BuildDeploymentsWorker } from './build-deployments.worker.js';
import { BuildDeploymentsService } from './build-deployments.service.js';

/** It has the form of the port, without knowing it. */
const storeBuildNumbers: Type<StoreBuildNumbers> = BuildNumbersService;

/** Global because it provides ports to builds, which may import neither this area nor submissions to stores. */
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
    JobsModule,
    StoreBuildNumbersModule,
  ],
  providers: [
    { provide: BuildDeployments, useClass: BuildDeploymentsService },
    { provide: StoreBuildNumbers, useExisting: storeBuildNumbers },
    BuildDeploymentsQueries,
    BuildDeploymentsWorker,
  ],
  exports: [BuildDeployments, StoreBuildNumbers],
})
export class BuildDeploymentsModule {}
