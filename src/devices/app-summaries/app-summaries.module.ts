import { Module } from '@nestjs/common';
import { AppCounts } from './app-counts.js';
import { AppCountsQueries } from './app-counts.queries.js';
import { AppFactsCache } from './app-facts.js';
import { AppFactsQueries } from './app-facts.queries.js';
import { AppSummariesController } from './app-summaries.controller.js';
import { AppSummariesService } from './app-summaries.service.js';

/** How apps are doing, for those who look at many of them. */
@Module({
  controllers: [AppSummariesController],
  providers: [AppSummariesService, AppCounts, AppCountsQueries, AppFactsCache, AppFactsQueries],
})
export class AppSummariesModule {}
