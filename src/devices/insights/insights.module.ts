import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DeploymentsModule } from '../../live-updates/deployments/deployments.module.js';
import { CurrentCounts } from './current-counts.js';
import { DeviceCount } from './device-count.entity.js';
import { InsightsController } from './insights.controller.js';
import { InsightsQueries } from './insights.queries.js';
import { InsightsService } from './insights.service.js';
import { RollUpQueries } from './roll-up.queries.js';
import { RollUpService } from './roll-up.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([DeviceCount]), DeploymentsModule],
  controllers: [InsightsController],
  providers: [InsightsService, InsightsQueries, CurrentCounts, RollUpService, RollUpQueries],
})
export class InsightsModule {}
