import type { BlobsService } from '../../storage/blobs/blobs.service.js';
import type { SubmissionProgress } from '../submissions/submission-progress.service.js';
import type { TransferService } from './transfer.service.js';
import type { PlayAccounts } from './play-account.service.js';

/** What flows of Google Play use of the server. */
export interface Play {
  readonly accounts: PlayAccounts;
  readonly progress: SubmissionProgress;
  readonly transfers: TransferService;
  readonly blobs: BlobsService;
}
