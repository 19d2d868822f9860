import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { BuildsModule } from '../../native-builds/builds/builds.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { UnsafeReuseModule } from '../unsafe-reuse/unsafe-reuse.module.js';
import { DeploymentChanges } from './deployment-changes.js';
import { DeployableBundlesService } from './deployable-bundles.service.js';
import { Deployment } from './deployment.entity.js';
import { DeploymentTransitionsService } from './deployment-transitions.service.js';
import { DeploymentsController } from './deployments.controller.js';
import { DeploymentsPresenter } from './deployments.presenter.js';
import { DeploymentsQueries } from './deployments.queries.js';
import { DeploymentsService } from './deployments.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([Deployment]),
    AppAccessModule,
    AppsModule,
    BuildsModule,
    ChannelsModule,
    UnsafeReuseModule,
  ],
  controllers: [DeploymentsController],
  providers: [
    DeploymentsService,
    DeployableBundlesService,
    DeploymentsQueries,
    DeploymentsPresenter,
    DeploymentTransitionsService,
    DeploymentChanges,
  ],
  exports: [DeploymentsService, DeploymentsPresenter, DeploymentTransitionsService, DeploymentChanges],
})
export class DeploymentsModule {}
