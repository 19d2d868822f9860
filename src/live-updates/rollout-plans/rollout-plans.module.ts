import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { PlanMovesService } from './plan-moves.service.js';
import { RolloutHealthQueries } from './rollout-health.queries.js';
import { RolloutPlan } from './rollout-plan.entity.js';
import { RolloutPlansController } from './rollout-plans.controller.js';
import { RolloutPlansService } from './rollout-plans.service.js';
import { UpdateCheckModule } from '../update-check/update-check.module.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([RolloutPlan]),
    AppAccessModule,
    ChannelsModule,
    DeploymentsModule,
    UpdateCheckModule,
  ],
  controllers: [RolloutPlansController],
  providers: [RolloutPlansService, PlanMovesService, RolloutHealthQueries],
})
export class RolloutPlansModule {}
