import { Module } from '@nestjs/common';
import { BlobsModule } from '../../../../storage/blobs/blobs.module.js';
import { DestinationsModule } from '../../../destinations/destinations.module.js';
import { StoreKeysModule } from '../../../store-keys/store-keys.module.js';
import { SubmissionsModule } from '../../../submissions/submissions.module.js';
import { StoresModule } from '../../stores.module.js';
import { SealedUploads } from '../../uploads/sealed-uploads.service.js';
import { AppStoreConnectStore } from './app-store-connect.store.js';
import { AppleAccounts } from './apple-accounts.service.js';

@Module({
  imports: [BlobsModule, DestinationsModule, StoreKeysModule, StoresModule, SubmissionsModule],
  providers: [AppStoreConnectStore, AppleAccounts, SealedUploads],
  exports: [AppStoreConnectStore],
})
export class AppStoreConnectFlowsModule {}
