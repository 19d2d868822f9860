import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DestinationsModule } from '../../app-submissions/destinations/destinations.module.js';
import { StoreReleasesModule } from '../../app-submissions/releases/store-releases.module.js';
import { SubmissionsModule } from '../../app-submissions/submissions/submissions.module.js';
import { AppAccessModule } from '../../apps/app-access/app-access.module.js';
import { AppsModule } from '../../apps/apps/apps.module.js';
import { ChannelsModule } from '../channels/channels.module.js';
import { DeploymentsModule } from '../deployments/deployments.module.js';
import { UnsafeReuseModule } from '../unsafe-reuse/unsafe-reuse.module.js';
import { PlanEndings } from './plan-endings.service.js';
import { ReleaseFollower } from './release-follower.service.js';
import { RolloutPlanRunner } from './rollout-plan-runner.service.js';
import { RolloutPlan } from './rollout-plan.entity.js';
import { RolloutPlanWriter } from './rollout-plan-writer.service.js';
import { RolloutPlansController } from './rollout-plans.controller.js';
import { RolloutPlansQueries } from './rollout-plans.queries.js';
import { RolloutPlansService } from './rollout-plans.service.js';
import { StorePlanTarget } from './targets/store-plan-target.service.js';
import { ChannelPlanTarget } from './targets/channel-plan-target.service.js';
import { PlanTargets } from './targets/plan-targets.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([RolloutPlan]),
    AppAccessModule,
    AppsModule,
    ChannelsModule,
    DeploymentsModule,
    DestinationsModule,
    StoreReleasesModule,
    SubmissionsModule,
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
    StorePlanTarget,
    ReleaseFollower,
  ],
})
export class RolloutPlansModule {}
