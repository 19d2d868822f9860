import { Module } from '@nestjs/common';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { StoreKeysModule } from '../store-keys/store-keys.module.js';
import { StoreTurnsModule } from '../store-turns/store-turns.module.js';
import { AppStoreConnectModule } from '../stores/app-store-connect/app-store-connect.module.js';
import { StoresModule } from '../stores/stores.module.js';
import { AppleBuildNumbers } from './apple-build-numbers.service.js';
import { BuildNumbersQueries } from './build-numbers.queries.js';
import { BuildNumbersService } from './build-numbers.service.js';
import { PlayVersionCodes } from './play-version-codes.service.js';

@Module({
  imports: [AppStoreConnectModule, DestinationsModule, StoreKeysModule, StoresModule, StoreTurnsModule],
  providers: [BuildNumbersService, BuildNumbersQueries, PlayVersionCodes, AppleBuildNumbers],
  exports: [BuildNumbersService],
})
export class BuildNumbersModule {}
