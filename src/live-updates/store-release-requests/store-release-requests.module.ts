import { Module } from '@nestjs/common';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { StoreReleasesController } from './store-releases.controller.js';

@Module({ imports: [AppAccessModule, DeploymentsModule], controllers: [StoreReleasesController] })
export class StoreReleaseRequestsModule {}
