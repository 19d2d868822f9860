import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { FlowModule } from '../flow/flow.module.js';
import { StoreKeysModule } from '../store-keys/store-keys.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { AppStoreConnect } from './api/app-store-connect-client.js';
import { AppStoreConnectStore } from './app-store-connect.store.js';
import { AppleAccounts } from './apple-accounts.service.js';
import { AppleKeyCalls } from './rate-limits/apple-key-calls.entity.js';
import { CallBudgetQueries } from './rate-limits/call-budget.queries.js';
import { AppleKeyCallsRetention, CallBudget } from './rate-limits/call-budget.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([AppleKeyCalls]),
    BlobsModule,
    DestinationsModule,
    FlowModule,
    StoreKeysModule,
    SubmissionsModule,
  ],
  providers: [
    AppleAccounts,
    AppleKeyCallsRetention,
    AppStoreConnect,
    AppStoreConnectStore,
    CallBudget,
    CallBudgetQueries,
  ],
  exports: [AppStoreConnect],
})
export class AppStoreConnectModule {}
