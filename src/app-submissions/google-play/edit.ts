import type { BlobsService } from '../../storage/blobs/blobs.service.js';
import { type SealedUploads, WITHOUT_UPLOAD } from '../flow/sealed-uploads.service.js';
import type { SubmissionProgress } from '../submissions/submission-progress.service.js';
import type { GooglePlayClient } from './api/google-play-client.js';
import type { PlayAccount, PlayAccounts } from './play-account.service.js';
import type { EditRun, PlayRun, SubmitState } from './play-state.js';

/** What flows of Google Play use of the server. */
export interface Play {
  readonly accounts: PlayAccounts;
  readonly progress: SubmissionProgress;
  readonly sealed: SealedUploads;
  readonly blobs: BlobsService;
}

/** An edit that is open. */
export interface OpenEdit {
  readonly account: PlayAccount;
  readonly client: GooglePlayClient;
  readonly editId: string;
}

/** Edits of one submission. */
export const MAX_EDITS = 5;

const RULE = 'Google Play takes one edit at a time from a service account for an app.';

const OF_EDIT: readonly (keyof SubmitState)[] = [
  'editId',
  'defaultLanguage',
  'languages',
  'hasFile',
  'sentSymbolFiles',
  'confirmations',
];

/**
 * Opens an edit when it is the turn of the submission, or continues with that of an earlier run. Google takes one at a time
 * from an account for an app; a turn is taken after Google has accepted the key.
 *
 * @throws StoreRefusal @throws StoreUnreachableError
 */
export async function openEdit(run: EditRun, { accounts }: Play): Promise<OpenEdit> {
  const { submission, session } = run;
  const account = await accounts.of(submission);
  await run.waitForTurn(account.editKey, RULE);
  const client = await accounts.signIn(account, submission.packageName, session);
  await run.takeTurn(account.editKey, RULE);
  const editId = run.state.editId ?? (await insertEdit(run, account, client));
  return { account, client, editId };
}

async function insertEdit(run: EditRun, { keyId }: PlayAccount, client: GooglePlayClient): Promise<string> {
  const { id: editId } = await client.insertEdit();
  try {
    await run.keep({ keyId, editId, edits: (run.state.edits ?? 0) + 1 }, { state: 'preprocessing' });
  } catch (error) {
    // Such as a cancellation in the meantime: the cleanup does not know this edit.
    await client.deleteEdit(editId).catch(() => undefined);
    throw error;
  }
  await run.log('Opened an edit. Other changes of the app meanwhile, also in the Play Console, end it.');
  return editId;
}

/** Forgets the edit, which is gone, with what it had: the next one begins with nothing. @param work is in the same transaction */
export function forgetEdit(run: Pick<PlayRun, 'forget'>, work?: () => Promise<void>): Promise<void> {
  return run.forget(OF_EDIT, WITHOUT_UPLOAD, work);
}
