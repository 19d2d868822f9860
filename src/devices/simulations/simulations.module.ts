import { Module } from '@nestjs/common';
import { ChannelsModule } from '../../live-updates/channels/channels.module.js';
import { DeploymentsModule } from '../../live-updates/deployments/deployments.module.js';
import { ReleasesModule } from '../releases/releases.module.js';
import { BlockersController } from './blockers.controller.js';
import { BlockersService } from './blockers.service.js';
import { SimulatedChangesService } from './simulated-changes.service.js';
import { SimulationsController } from './simulations.controller.js';
import { SimulationsQueries } from './simulations.queries.js';
import { SimulationsService } from './simulations.service.js';

@Module({
  imports: [ChannelsModule, DeploymentsModule, ReleasesModule],
  controllers: [SimulationsController, BlockersController],
  providers: [SimulationsService, BlockersService, SimulatedChangesService, SimulationsQueries],
})
export class SimulationsModule {}
