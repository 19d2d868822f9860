import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { DeploymentHealthModule } from '../deployment-health/deployment-health.module.js';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { UnsafeReuseModule } from '../unsafe-reuse/unsafe-reuse.module.js';
import { PlanEndings } from './plan-endings.service.js';
import { RolloutPlanRunner } from './rollout-plan-runner.service.js';
import { RolloutPlan } from './rollout-plan.entity.js';
import { RolloutPlanWriter } from './rollout-plan-writer.service.js';
import { RolloutPlansController } from './rollout-plans.controller.js';
import { RolloutPlansQueries } from './rollout-plans.queries.js';
import { RolloutPlansService } from './rollout-plans.service.js';
import { ChannelPlanTarget } from './targets/channel-plan-target.service.js';
import { PlanTargets } from './targets/plan-targets.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([RolloutPlan]),
    AppAccessModule,
    ChannelsModule,
    DeploymentHealthModule,
    DeploymentsModule,
    UnsafeReuseModule,
  ],
  controllers: [RolloutPlansController],
  providers: [
    RolloutPlansService,
    RolloutPlanRunner,
    RolloutPlanWriter,
    RolloutPlansQueries,
    PlanEndings,
    PlanTargets,
    ChannelPlanTarget,
  ],
})
export class RolloutPlansModule {}
