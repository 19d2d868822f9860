import { Module } from '@nestjs/common';
import { ApprovalsModule } from './approvals/approvals.module.js';
import { BundlesModule } from './bundles/bundles.module.js';
import { ChannelsModule } from './channels/channels.module.js';
import { DecisionsModule } from './decisions/decisions.module.js';
import { DeltasModule } from './deltas/deltas.module.js';
import { DeploymentsModule } from './deployments/deployments.module.js';
import { DevicesModule } from './devices/devices.module.js';
import { RolloutPlansModule } from './rollout-plans/rollout-plans.module.js';
import { InsightsModule } from './insights/insights.module.js';
import { RetentionModule } from './retention/retention.module.js';
import { SimulationsModule } from './simulations/simulations.module.js';
import { UpdateCheckModule } from './update-check/update-check.module.js';

@Module({
  imports: [
    ChannelsModule,
    BundlesModule,
    DeltasModule,
    DeploymentsModule,
    ApprovalsModule,
    RolloutPlansModule,
    DevicesModule,
    UpdateCheckModule,
    DecisionsModule,
    SimulationsModule,
    InsightsModule,
    RetentionModule,
  ],
})
export class LiveUpdatesModule {}
