import { Injectable } from '@nestjs/common';
import { StoreTurns } from '../../../store-turns/store-turns.service.js';
import type { StepContext, StepResult } from '../../store.js';
import type { GooglePlayClient } from '../google-play-client.js';
import { trackOf } from './check.step.js';
import { type PlayAccount, PlayAccounts } from './play-account.service.js';
import { progressOf } from './play-progress.js';
import { otherFile, trackMissing } from '../refusals/own-refusals.js';
import { codeOf, isReleased, playArtifactType } from '../releases/release-of.js';
import { toPlayNotes } from '../releases/release-notes.js';

/** How often those that wait look whether it is their turn, if they are not woken. Google is not asked for that. */
const POLL_SECONDS = 30;
const RULE = 'Google Play takes one edit at a time from a service account for an app.';

/** Opens an edit, when it is the turn of the submission, and compares the app in the store with the submission. */
@Injectable()
export class EditStep {
  constructor(
    private readonly accounts: PlayAccounts,
    private readonly turns: StoreTurns,
  ) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission, session } = context;
    const account = await this.accounts.of(submission);
    const obstacle = await this.turns.obstacle(account.editKey, submission, RULE);
    if (obstacle !== null) return wait(account, obstacle);
    const client = await this.accounts.signIn(account, submission.packageName, session);
    const refusedNow = await this.take(context, account);
    if (refusedNow !== null) return wait(account, refusedNow);
    const editId = await this.editOf(context, client);
    return this.compare(context, account, client, editId);
  }

  private async take(context: StepContext, { editKey }: PlayAccount): Promise<string | null> {
    let obstacle: string | null = null;
    await context.save({}, async () => {
      obstacle = await this.turns.take(editKey, context.submission, RULE);
    });
    return obstacle;
  }

  private async editOf(context: StepContext, client: GooglePlayClient): Promise<string> {
    const progress = progressOf(context.submission);
    if (progress.editId !== undefined) return progress.editId;
    const { id: editId } = await client.insertEdit();
    try {
      await context.save({
        state: 'preprocessing',
        external: { ...progress, editId, edits: (progress.edits ?? 0) + 1 },
      });
    } catch (error) {
      // Such as a cancellation meanwhile: what removes the rest does not know this edit.
      await client.deleteEdit(editId).catch(() => undefined);
      throw error;
    }
    await context.log(
      'Opened an edit. Other changes of the app meanwhile, also in the Play Console, end it.',
    );
    return editId;
  }

  private async compare(
    context: StepContext,
    account: PlayAccount,
    client: GooglePlayClient,
    editId: string,
  ): Promise<StepResult> {
    const { submission } = context;
    const track = trackOf(submission);
    const tracks = await client.tracks(editId);
    if (!tracks.includes(track)) throw trackMissing(track, tracks);
    const languages = await client.listingLanguages(editId);
    const defaultLanguage = account.defaultLanguage ?? (await client.details(editId)).defaultLanguage;
    const { notes, missing } = toPlayNotes(submission.releaseNotes, defaultLanguage, languages);
    if (missing.length > 0) {
      const which = `${missing.slice(0, 20).join(', ')}${missing.length > 20 ? ', …' : ''}`;
      await context.log(
        notes.length === 0
          ? 'The release has no notes.'
          : `Languages of the store listing without release notes: ${which}.`,
      );
    }
    const hasFile = await this.hasFile(context, client, editId);
    await context.save({
      external: {
        ...progressOf(submission),
        languages,
        ...(defaultLanguage !== null && { defaultLanguage }),
        hasFile,
      },
    });
    if (!hasFile) return { kind: 'next', step: 'upload' };
    if (isReleased(submission, (await client.track(editId, track)).releases)) {
      await context.log(`The track ${track} has this release already, so nothing is sent.`);
      return {
        kind: 'done',
        state: 'prepared',
        message: `The track ${track} has had this release before.`,
      };
    }
    await context.log('Google Play has this very file already, so it is not uploaded again.');
    return { kind: 'next', step: 'symbols' };
  }

  /** @throws StoreRefusal when another file has the version code */
  private async hasFile(
    { submission }: StepContext,
    client: GooglePlayClient,
    editId: string,
  ): Promise<boolean> {
    const code = codeOf(submission);
    const known = await client.artifacts(editId, playArtifactType(submission));
    const same = known.find(({ versionCode }) => versionCode === code);
    // Without a hash, the upload shows whether it is the same file.
    if (same === undefined || same.sha256 === null) return false;
    if (same.sha256 !== submission.sha256) throw otherFile(submission.versionCode);
    return true;
  }
}

function wait({ editKey }: PlayAccount, message: string): StepResult {
  return { kind: 'wait', waitsFor: editKey, message, afterSeconds: POLL_SECONDS };
}
