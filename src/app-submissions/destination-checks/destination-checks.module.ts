import { Module } from '@nestjs/common';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { StoreKeysModule } from '../store-keys/store-keys.module.js';
import { AppStoreConnectModule } from '../app-store-connect/app-store-connect.module.js';
import { StoreCallsModule } from '../calls/store-calls.service.js';
import { GooglePlayModule } from '../google-play/google-play.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { AppStoreConnectChecks } from './app-store-connect-checks.service.js';
import { DestinationChecksController } from './destination-checks.controller.js';
import { DestinationChecksService } from './destination-checks.service.js';
import { GooglePlayChecks } from './google-play-checks.service.js';

@Module({
  imports: [
    AppStoreConnectModule,
    DestinationsModule,
    GooglePlayModule,
    StoreCallsModule,
    StoreKeysModule,
    SubmissionsModule,
  ],
  controllers: [DestinationChecksController],
  providers: [DestinationChecksService, GooglePlayChecks, AppStoreConnectChecks],
})
export class DestinationChecksModule {}
