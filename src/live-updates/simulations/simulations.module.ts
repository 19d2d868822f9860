import { Module } from '@nestjs/common';
import { ChannelsModule } from '../channels/channels.module.js';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { UpdateCheckModule } from '../update-check/update-check.module.js';
import { SimulatedChangesService } from './simulated-changes.service.js';
import { SimulationsController } from './simulations.controller.js';
import { SimulationsQueries } from './simulations.queries.js';
import { SimulationsService } from './simulations.service.js';

@Module({
  imports: [ChannelsModule, DeploymentsModule, UpdateCheckModule],
  controllers: [SimulationsController],
  providers: [SimulationsService, SimulatedChangesService, SimulationsQueries],
})
export class SimulationsModule {}
