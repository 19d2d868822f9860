import { Module } from '@nestjs/common';
import { BlobsModule } from '../../../../storage/blobs/blobs.module.js';
import { DestinationsModule } from '../../../destinations/destinations.module.js';
import { StoreKeysModule } from '../../../store-keys/store-keys.module.js';
import { SubmissionsModule } from '../../../submissions/submissions.module.js';
import { SealedUploads } from '../../uploads/sealed-uploads.service.js';
import { StoresModule } from '../../stores.module.js';
import { CheckStep } from './check.step.js';
import { CommitStep } from './commit.step.js';
import { EditStep } from './edit.step.js';
import { GooglePlayStore } from './google-play.store.js';
import { PlayAccounts } from './play-account.service.js';
import { PlayEdits } from './play-edits.service.js';
import { PlayLooks } from './play-looks.service.js';
import { PlayRecovery } from './recovery.service.js';
import { SetRolloutStep } from './set-rollout.step.js';
import { SymbolsStep } from './symbols.step.js';
import { TrackStep } from './track.step.js';
import { TransferService } from '../transfer.service.js';
import { UploadStep } from './upload.step.js';
import { ValidateStep } from './validate.step.js';

@Module({
  imports: [BlobsModule, DestinationsModule, StoreKeysModule, StoresModule, SubmissionsModule],
  providers: [
    CheckStep,
    CommitStep,
    EditStep,
    GooglePlayStore,
    PlayAccounts,
    PlayEdits,
    PlayLooks,
    PlayRecovery,
    SealedUploads,
    SetRolloutStep,
    SymbolsStep,
    TrackStep,
    TransferService,
    UploadStep,
    ValidateStep,
  ],
  exports: [GooglePlayStore],
})
export class GooglePlayStepsModule {}
