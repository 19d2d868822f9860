import type { GooglePlayClient } from './api/google-play-client.js';
import type { PlayAccount } from './play-account.service.js';
import type { Play } from './play.js';
import type { EditRun } from './play-state.js';

const RULE = 'Google Play takes one edit at a time from a service account for an app.';

/** An edit that is open. */
export interface OpenEdit {
  readonly account: PlayAccount;
  readonly client: GooglePlayClient;
  readonly editId: string;
}

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
