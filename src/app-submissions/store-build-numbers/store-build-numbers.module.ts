import { Module } from '@nestjs/common';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { StoreKeysModule } from '../store-keys/store-keys.module.js';
import { StoresModule } from '../stores/stores.module.js';
import { AppleBuildNumbers } from './apple-build-numbers.service.js';
import { BuildNumbersQueries } from './build-numbers.queries.js';
import { BuildNumbersService } from './build-numbers.service.js';
import { PlayVersionCodes } from './play-version-codes.service.js';

@Module({
  imports: [DestinationsModule, StoreKeysModule, StoresModule],
  providers: [BuildNumbersService, BuildNumbersQueries, PlayVersionCodes, AppleBuildNumbers],
  exports: [BuildNumbersService],
})
export class StoreBuildNumbersModule {}
