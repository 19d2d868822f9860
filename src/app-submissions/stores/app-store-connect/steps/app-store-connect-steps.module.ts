import { Module } from '@nestjs/common';
import { BlobsModule } from '../../../../storage/blobs/blobs.module.js';
import { DestinationsModule } from '../../../destinations/destinations.module.js';
import { StoreKeysModule } from '../../../store-keys/store-keys.module.js';
import { StoresModule } from '../../stores.module.js';
import { SubmissionsModule } from '../../../submissions/submissions.module.js';
import { SealedUploads } from '../../uploads/sealed-uploads.service.js';
import { AppStoreConnectStore } from './app-store-connect.store.js';
import { AppleAccounts } from './apple-accounts.service.js';
import { AppleBuilds } from './apple-builds.service.js';
import { AppleRecovery } from './apple-recovery.service.js';
import { AttachStep } from './app-store/attach.step.js';
import { ReviewDraft } from './app-store/review-draft.service.js';
import { ReviewRoom } from './app-store/review-room.service.js';
import { SubmitReviewStep } from './app-store/submit-review.step.js';
import { VersionEditor } from './app-store/version-editor.service.js';
import { VersionStep } from './app-store/version.step.js';
import { WhatsNewStep } from './app-store/whats-new.step.js';
import { AppleReleases } from './changes/apple-releases.service.js';
import { ReleaseStep } from './changes/release.step.js';
import { RolloutStep } from './changes/rollout.step.js';
import { WithdrawStep } from './changes/withdraw.step.js';
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
  imports: [BlobsModule, DestinationsModule, StoreKeysModule, StoresModule, SubmissionsModule],
  providers: [
    AppStoreConnectStore,
    AppleAccounts,
    AppleBuilds,
    AppleRecovery,
    AppleReleases,
    AttachStep,
    CheckStep,
    ComplianceStep,
    DeliverStep,
    GroupsStep,
    NotesStep,
    ProcessingStep,
    ReleaseStep,
    ReviewDraft,
    ReviewRoom,
    ReviewStep,
    RolloutStep,
    SealedUploads,
    SubmitReviewStep,
    UploadParts,
    UploadStep,
    VersionEditor,
    VersionStep,
    WhatsNewStep,
    WithdrawStep,
  ],
  exports: [AppStoreConnectStore],
})
export class AppStoreConnectStepsModule {}
