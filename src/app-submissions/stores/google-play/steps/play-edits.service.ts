import { Injectable } from '@nestjs/common';
import { StoreTurns } from '../../../store-turns/store-turns.service.js';
import type { StepContext, StepResult } from '../../store.js';
import type { GooglePlayClient } from '../google-play-client.js';
import { type PlayAccount, PlayAccounts } from './play-account.service.js';
import { progressOf } from './play-progress.js';

/** How often those that wait look whether it is their turn, if they are not woken. Google is not asked for that. */
const POLL_SECONDS = 30;
const RULE = 'Google Play takes one edit at a time from a service account for an app.';

/** An edit that is open. */
export interface OpenEdit {
  readonly account: PlayAccount;
  readonly client: GooglePlayClient;
  readonly editId: string;
}

/** Opens edits, one at a time for each account and app. */
@Injectable()
export class PlayEdits {
  constructor(
    private readonly accounts: PlayAccounts,
    private readonly turns: StoreTurns,
  ) {}

  /**
   * Opens an edit, or continues with that of an earlier run.
   *
   * @returns how to wait when it is the turn of others
   * @throws StoreRefusal @throws StoreUnreachableError
   */
  async open(context: StepContext): Promise<OpenEdit | Extract<StepResult, { kind: 'wait' }>> {
    const { submission, session } = context;
    const account = await this.accounts.of(submission);
    const obstacle = await this.turns.obstacle(account.editKey, submission, RULE);
    if (obstacle !== null) return wait(account, obstacle);
    const client = await this.accounts.signIn(account, submission.packageName, session);
    const refusedNow = await this.take(context, account);
    if (refusedNow !== null) return wait(account, refusedNow);
    return { account, client, editId: await this.editOf(context, account, client) };
  }

  private async take(context: StepContext, { editKey }: PlayAccount): Promise<string | null> {
    let obstacle: string | null = null;
    await context.save({}, async () => {
      obstacle = await this.turns.take(editKey, context.submission, RULE);
    });
    return obstacle;
  }

  private async editOf(
    context: StepContext,
    { keyId }: PlayAccount,
    client: GooglePlayClient,
  ): Promise<string> {
    const progress = progressOf(context.submission);
    if (progress.editId !== undefined) return progress.editId;
    const { id: editId } = await client.insertEdit();
    try {
      await context.save({
        state: 'preprocessing',
        external: { ...progress, keyId, editId, edits: (progress.edits ?? 0) + 1 },
      });
    } catch (error) {
      // Such as a cancellation in the meantime: the cleanup does not know this edit.
      await client.deleteEdit(editId).catch(() => undefined);
      throw error;
    }
    await context.log(
      'Opened an edit. Other changes of the app meanwhile, also in the Play Console, end it.',
    );
    return editId;
  }
}

function wait({ editKey }: PlayAccount, message: string): Extract<StepResult, { kind: 'wait' }> {
  return { kind: 'wait', waitsFor: editKey, message, afterSeconds: POLL_SECONDS };
}
