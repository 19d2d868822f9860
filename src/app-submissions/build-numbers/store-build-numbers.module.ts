import { Module } from '@nestjs/common';
import { AppStoreConnectModule } from '../app-store-connect/app-store-connect.module.js';
import { StoreCallsModule } from '../calls/store-calls.service.js';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { FlowModule } from '../flow/flow.module.js';
import { GooglePlayModule } from '../google-play/google-play.module.js';
import { StoreKeysModule } from '../store-keys/store-keys.module.js';
import { BuildNumbersQueries } from './build-numbers.queries.js';
import { BuildNumbersService } from './build-numbers.service.js';
import { AppleBuildNumbers, PlayVersionCodes } from './store-numbers.service.js';

@Module({
  imports: [
    AppStoreConnectModule,
    DestinationsModule,
    FlowModule,
    GooglePlayModule,
    StoreCallsModule,
    StoreKeysModule,
  ],
  providers: [BuildNumbersService, BuildNumbersQueries, PlayVersionCodes, AppleBuildNumbers],
  exports: [BuildNumbersService],
})
export class StoreBuildNumbersModule {}
