import { Module } from '@nestjs/common';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { StoreKeysModule } from '../store-keys/store-keys.module.js';
import { StoresModule } from '../stores/stores.module.js';
import { DestinationChecksController } from './destination-checks.controller.js';
import { DestinationChecksService } from './destination-checks.service.js';
import { GooglePlayChecks } from './google-play-checks.service.js';

@Module({
  imports: [DestinationsModule, StoreKeysModule, StoresModule],
  controllers: [DestinationChecksController],
  providers: [DestinationChecksService, GooglePlayChecks],
})
export class DestinationChecksModule {}
