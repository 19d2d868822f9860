import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { SubmissionRequestsModule } from '../submission-requests/submission-requests.module.js';
import { JobsModule } from '../../jobs/jobs/jobs.module.js';
import { StoreTurn } from '../store-turns/store-turn.entity.js';
import { StoreTurnsQueries } from '../store-turns/store-turns.queries.js';
import { StoreTurns } from '../store-turns/store-turns.service.js';
import { GoogleTokens } from './google-play/google-token.service.js';
import { StoreCalls } from './store-calls/store-calls.service.js';
import { AppStoreConnect } from './app-store-connect/app-store-connect-client.service.js';
import { AppleKeyCallsRetention } from './app-store-connect/rate-limits/apple-key-calls-retention.task.js';
import { AppleKeyCalls } from './app-store-connect/rate-limits/apple-key-calls.entity.js';
import { CallBudgetQueries } from './app-store-connect/rate-limits/call-budget.queries.js';
import { CallBudget } from './app-store-connect/rate-limits/call-budget.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([StoreTurn, AppleKeyCalls]), SubmissionRequestsModule, JobsModule],
  providers: [
    StoreCalls,
    GoogleTokens,
    StoreTurns,
    StoreTurnsQueries,
    AppStoreConnect,
    CallBudget,
    CallBudgetQueries,
    AppleKeyCallsRetention,
  ],
  exports: [StoreCalls, GoogleTokens, StoreTurns, AppStoreConnect],
})
export class StoresModule {}
