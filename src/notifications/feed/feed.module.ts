import { Module } from '@nestjs/common';
import { HealthModule } from '../../health/health.module.js';
import { Metrics } from '../../metrics/metrics.js';
import { FeedAccessQueries } from './feed-access.queries.js';
import { FeedAccessService } from './feed-access.service.js';
import { FeedController } from './feed.controller.js';
import { FeedPump } from './feed-pump.js';
import { FeedReaders } from './feed-readers.js';
import { FeedQueries } from './feed.queries.js';
import { FeedService } from './feed.service.js';

@Module({
  imports: [HealthModule],
  controllers: [FeedController],
  providers: [FeedService, FeedQueries, FeedAccessService, FeedAccessQueries, FeedReaders, FeedPump],
})
export class FeedModule {
  constructor(metrics: Metrics, readers: FeedReaders) {
    metrics.gauge(
      { name: 'slipway_event_readers_waiting', help: 'Requests that read events and wait for them.' },
      () => readers.size,
    );
  }
}
