import { Injectable } from '@nestjs/common';
import type { StepContext, StepResult } from '../../store.js';
import { trackOf } from './check.step.js';
import { PlayAccounts } from './play-account.service.js';
import { editOf, progressOf } from './play-progress.js';
import { releaseOf } from '../track-releases/release-of.js';
import { toPlayNotes } from '../track-releases/release-notes.js';

/** Puts the release on its track, and lets Google Play check the edit. */
@Injectable()
export class TrackStep {
  constructor(private readonly accounts: PlayAccounts) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    const { languages = [], defaultLanguage = null } = progressOf(submission);
    const release = releaseOf(submission, toPlayNotes(submission.releaseNotes, defaultLanguage, languages));
    const track = trackOf(submission);
    const client = await this.accounts.clientOf(context);
    const share =
      release.userFraction === undefined ? '' : ` for ${100 * release.userFraction} % of the users`;
    await context.log(`Setting the release of the track ${track}: ${release.status}${share}.`);
    await client.updateTrack(editOf(submission), track, release);
    await context.save({ state: 'preparing' });
    return { kind: 'next', step: 'validate' };
  }
}
