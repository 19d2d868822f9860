import { Module } from '@nestjs/common';
import { AppSummariesModule } from './app-summaries/app-summaries.module.js';
import { ConsequencesModule } from './consequences/consequences.module.js';
import { DecisionsModule } from './decisions/decisions.module.js';
import { DeviceRetentionModule } from './device-retention/device-retention.module.js';
import { DevicesModule } from './devices/devices.module.js';
import { InsightsModule } from './insights/insights.module.js';
import { NativeVersionsModule } from './native-versions/native-versions.module.js';
import { SimulationsModule } from './simulations/simulations.module.js';
import { TransferSizesModule } from './transfer-sizes/transfer-sizes.module.js';
import { UpdateCheckModule } from './update-check/update-check.module.js';

@Module({
  imports: [
    UpdateCheckModule,
    DevicesModule,
    DeviceRetentionModule,
    DecisionsModule,
    ConsequencesModule,
    NativeVersionsModule,
    SimulationsModule,
    InsightsModule,
    TransferSizesModule,
    AppSummariesModule,
  ],
})
export class DeviceAreaModule {}
