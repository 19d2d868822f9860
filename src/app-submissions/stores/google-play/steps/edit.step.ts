import { Injectable } from '@nestjs/common';
import type { StepContext, StepResult } from '../../store.js';
import type { GooglePlayClient } from '../google-play-client.js';
import { trackOf } from './check.step.js';
import { type OpenEdit, PlayEdits } from './play-edits.service.js';
import { PlayLooks } from './play-looks.service.js';
import { progressOf } from './play-progress.js';
import { nothingToPromote, otherFile, takesFromUsers, trackMissing } from '../refusals/own-refusals.js';
import { shareOf } from '../track-releases/release-looks.js';
import { codeOf, findAhead, isReleased, playArtifactType } from '../track-releases/release-of.js';
import { toPlayNotes } from '../track-releases/release-notes.js';

/** Opens an edit, when it is the turn of the submission, and compares the app in the store with the submission. */
@Injectable()
export class EditStep {
  constructor(
    private readonly edits: PlayEdits,
    private readonly looks: PlayLooks,
  ) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const edit = await this.edits.open(context);
    return 'kind' in edit ? edit : this.compare(context, edit);
  }

  private async compare(context: StepContext, { account, client, editId }: OpenEdit): Promise<StepResult> {
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
    const { releases } = await client.track(editId, track);
    if (isReleased(submission, releases)) {
      await context.log(`The track ${track} has this release already, so nothing is sent.`);
      return {
        kind: 'done',
        state: 'prepared',
        message: `The track ${track} has had this release before.`,
        release: await this.looks.afterwards(client, submission, shareOf(submission)),
      };
    }
    const ahead = findAhead(submission, releases);
    if (ahead !== null) throw takesFromUsers(submission, ahead);
    await context.log('Google Play has this very file already, so it is not uploaded again.');
    // A promotion takes nothing of the build: Google Play has had the symbols with the file.
    return { kind: 'next', step: submission.action === 'promote' ? 'track' : 'symbols' };
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
    if (submission.action === 'promote') {
      if (same === undefined) throw nothingToPromote(submission.versionCode);
      if (same.sha256 === null) return true;
    }
    // Without a hash, the upload shows whether it is the same file.
    if (same === undefined || same.sha256 === null) return false;
    if (same.sha256 !== submission.sha256) throw otherFile(submission.versionCode);
    return true;
  }
}
