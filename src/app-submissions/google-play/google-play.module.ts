import { Module } from '@nestjs/common';
import { BlobsModule } from '../../storage/blobs/blobs.module.js';
import { DestinationsModule } from '../destinations/destinations.module.js';
import { FlowModule } from '../flow/flow.module.js';
import { StoreKeysModule } from '../store-keys/store-keys.module.js';
import { SubmissionsModule } from '../submissions/submissions.module.js';
import { GoogleTokens } from './api/google-token.service.js';
import { GooglePlayStore } from './google-play.store.js';
import { PlayAccounts } from './play-account.service.js';

@Module({
  imports: [BlobsModule, DestinationsModule, FlowModule, StoreKeysModule, SubmissionsModule],
  providers: [GooglePlayStore, GoogleTokens, PlayAccounts],
  exports: [GoogleTokens],
})
export class GooglePlayModule {}
