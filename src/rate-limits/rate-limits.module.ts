import { Module } from '@nestjs/common';
import { RateCountsQueries } from './rate-counts.queries.js';
import { RateLimitsService } from './rate-limits.service.js';
import { SharedCounters } from './shared-counters.js';

/** Limits calls by token or by address. */
@Module({
  providers: [RateLimitsService, SharedCounters, RateCountsQueries],
  exports: [RateLimitsService],
})
export class RateLimitsModule {}
