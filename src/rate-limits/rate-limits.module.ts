import { Module } from '@nestjs/common';
import { RateCountsQueries } from './rate-counts.queries.js';
import { RateLimitsService } from './rate-limits.service.js';
import { SharedCounters } from './shared-counters.js';

/** How often one token or one address may call. */
@Module({
  providers: [RateLimitsService, SharedCounters, RateCountsQueries],
  exports: [RateLimitsService],
})
export class RateLimitsModule {}
