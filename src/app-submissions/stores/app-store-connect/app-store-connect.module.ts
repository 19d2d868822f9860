import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AppStoreConnect } from './app-store-connect-client.service.js';
import { AppleKeyCallsRetention } from './rate-limits/apple-key-calls-retention.task.js';
import { AppleKeyCalls } from './rate-limits/apple-key-calls.entity.js';
import { CallBudgetQueries } from './rate-limits/call-budget.queries.js';
import { CallBudget } from './rate-limits/call-budget.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([AppleKeyCalls])],
  providers: [AppStoreConnect, CallBudget, CallBudgetQueries, AppleKeyCallsRetention],
  exports: [AppStoreConnect],
})
export class AppStoreConnectModule {}
