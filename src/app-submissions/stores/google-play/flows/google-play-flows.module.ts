import { Module } from '@nestjs/common';
import { BlobsModule } from '../../../../storage/blobs/blobs.module.js';
import { DestinationsModule } from '../../../destinations/destinations.module.js';
import { StoreKeysModule } from '../../../store-keys/store-keys.module.js';
import { SubmissionsModule } from '../../../submissions/submissions.module.js';
import { StoresModule } from '../../stores.module.js';
import { SealedUploads } from '../../uploads/sealed-uploads.service.js';
import { TransferService } from '../transfer.service.js';
import { GooglePlayStore } from './google-play.store.js';
import { PlayAccounts } from './play-account.service.js';

@Module({
  imports: [BlobsModule, DestinationsModule, StoreKeysModule, StoresModule, SubmissionsModule],
  providers: [GooglePlayStore, PlayAccounts, SealedUploads, TransferService],
  exports: [GooglePlayStore],
})
export class GooglePlayFlowsModule {}
