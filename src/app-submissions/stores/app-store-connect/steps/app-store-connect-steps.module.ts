import { Module } from '@nestjs/common';
import { BlobsModule } from '../../../../storage/blobs/blobs.module.js';
import { DestinationsModule } from '../../../destinations/destinations.module.js';
import { StoreKeysModule } from '../../../store-keys/store-keys.module.js';
import { StoreTurnsModule } from '../../../store-turns/store-turns.module.js';
import { SubmissionsModule } from '../../../submissions/submissions.module.js';
import { SealedUploads } from '../../uploads/sealed-uploads.service.js';
import { AppStoreConnectModule } from '../app-store-connect.module.js';
import { AppStoreConnectStore } from './app-store-connect.store.js';
import { AppleAccounts } from './apple-accounts.service.js';
import { AppleBuilds } from './apple-builds.service.js';
import { AppleRecovery } from './apple-recovery.service.js';
import { CheckStep } from './check.step.js';
import { ComplianceStep } from './compliance.step.js';
import { DeliverStep } from './deliver.step.js';
import { GroupsStep } from './groups.step.js';
import { NotesStep } from './notes.step.js';
import { ProcessingStep } from './processing.step.js';
import { ReviewStep } from './review.step.js';
import { UploadParts } from './upload-parts.service.js';
import { UploadStep } from './upload.step.js';

@Module({
  imports: [
    AppStoreConnectModule,
    BlobsModule,
    DestinationsModule,
    StoreKeysModule,
    StoreTurnsModule,
    SubmissionsModule,
  ],
  providers: [
    AppStoreConnectStore,
    AppleAccounts,
    AppleBuilds,
    AppleRecovery,
    CheckStep,
    ComplianceStep,
    DeliverStep,
    GroupsStep,
    NotesStep,
    ProcessingStep,
    ReviewStep,
    SealedUploads,
    UploadParts,
    UploadStep,
  ],
  exports: [AppStoreConnectStore],
})
export class AppStoreConnectStepsModule {}
