import { Module } from '@nestjs/common';
import { HealthModule } from '../../health/health.module.js';
import { Metrics } from '../../metrics/metrics.js';
import { FeedModule } from '../feed/feed.module.js';
import { ChangePump } from './change-pump.js';
import { ChangesController } from './changes.controller.js';
import { ChangesService } from './changes.service.js';

@Module({
  imports: [FeedModule, HealthModule],
  controllers: [ChangesController],
  providers: [ChangesService, ChangePump],
})
export class ChangesModule {
  constructor(metrics: Metrics, pump: ChangePump) {
    metrics.gauge(
      { name: 'slipway_change_streams_open', help: 'Streams of changes that are open.' },
      () => pump.streams.size,
    );
  }
}
