import { Module } from '@nestjs/common';
import { UsersModule } from '../../accounts/users/users.module.js';
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
  imports: [HealthModule, UsersModule],
  controllers: [FeedController],
  providers: [FeedService, FeedQueries, FeedAccessService, FeedAccessQueries, FeedReaders, FeedPump],
  exports: [FeedAccessService, FeedQueries],
})
export class FeedModule {
  constructor(metrics: Metrics, readers: FeedReaders) {
    metrics.gauge(
      { name: 'slipway_event_readers_waiting', help: 'Requests that read events and wait for them.' },
      () => readers.size,
    );
  }
}
