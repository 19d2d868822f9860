import type { BlobsService } from '../../storage/blobs/blobs.service.js';
import type { SubmissionProgress } from '../submissions/submission-progress.service.js';
import type { SealedUploads } from '../flow/sealed-uploads.service.js';
import type { AppleAccounts } from './apple-accounts.service.js';

/** What flows of App Store Connect use of the server. */
export interface Connect {
  readonly accounts: AppleAccounts;
  readonly progress: SubmissionProgress;
  readonly sealed: SealedUploads;
  readonly blobs: BlobsService;
}
