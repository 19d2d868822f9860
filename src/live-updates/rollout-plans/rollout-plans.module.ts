import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { RolloutPlanRunner } from './rollout-plan-runner.service.js';
import { RolloutHealthQueries } from './rollout-health.queries.js';
import { RolloutPlan } from './rollout-plan.entity.js';
import { RolloutPlansController } from './rollout-plans.controller.js';
import { RolloutPlansService } from './rollout-plans.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([RolloutPlan]), AppAccessModule, ChannelsModule, DeploymentsModule],
  controllers: [RolloutPlansController],
  providers: [RolloutPlansService, RolloutPlanRunner, RolloutHealthQueries],
})
export class RolloutPlansModule {}
