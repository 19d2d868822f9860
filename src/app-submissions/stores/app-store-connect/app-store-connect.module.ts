import { Module } from '@nestjs/common';
import { AppStoreConnect } from './app-store-connect-client.service.js';
import { CallBudget } from './rate-limits/call-budget.service.js';

@Module({
  providers: [AppStoreConnect, CallBudget],
  exports: [AppStoreConnect],
})
export class AppStoreConnectModule {}
