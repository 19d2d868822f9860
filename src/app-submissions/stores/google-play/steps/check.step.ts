import { Injectable } from '@nestjs/common';
import { trackKey } from '../../../store-turns/store-turns.service.js';
import { SubmissionProgress } from '../../../submissions/submission-progress.service.js';
import type { Submission } from '../../../submissions/submission.entity.js';
import type { StepContext, StepResult } from '../../store.js';
import type { ReleaseSummary } from '../google-play-responses.js';
import type { GooglePlayClient } from '../google-play-client.js';
import { StoreRefusal } from '../../refusals/refusal.js';
import { PlayAccounts } from './play-account.service.js';
import { progressOf } from './play-progress.js';
import { refused } from '../../refusals/refused.js';
import { codeOf, highestCode, isNotSent, isShown } from '../track-releases/release-of.js';

/** How often the store is asked whether a person has finished, in seconds. */
const POLL_SECONDS = 300;
/** Releases there wait for no other ones. */
const INTERNAL = 'internal';

/** Asks what can be known without an edit: the account, the app, and who is in front on the track. */
@Injectable()
export class CheckStep {
  constructor(
    private readonly accounts: PlayAccounts,
    private readonly progress: SubmissionProgress,
  ) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission, session } = context;
    const account = await this.accounts.of(submission);
    const track = trackOf(submission);
    if (isFirst(submission))
      await context.log(
        `${submission.action === 'promote' ? 'Promoting' : 'Submitting'} ${submission.packageName} ${submission.versionName ?? ''} (${submission.versionCode}) to the track ${track} of Google Play.`,
        'Signing in to Google.',
      );
    const client = await this.accounts.signIn(account, submission.packageName, session);
    const releases = await releasesOf(client, track);
    const blocked = await this.blocked(submission, track, releases);
    if (blocked !== null) return blocked;
    requireHigher(submission, track, releases);
    const wasShown = isShown(submission, releases ?? []);
    await context.save({ external: { ...progressOf(submission), keyId: account.keyId, wasShown } });
    return { kind: 'next', step: 'edit' };
  }

  /** @returns how to wait for a person who has to finish another release of the track; `null`: there is none */
  private async blocked(
    submission: Submission,
    track: string,
    releases: readonly ReleaseSummary[] | null,
  ): Promise<StepResult | null> {
    if (track === INTERNAL) return null;
    const others = await this.progress.actionRequired(submission.packageName, track);
    // Also when it was sent, or discarded, without a word to Slipway.
    const other = others.find((one) => releases === null || isNotSent(one, releases));
    if (other === undefined) return null;
    const who = other.appId === submission.appId ? `the deployment ${other.id}` : 'another submission';
    return {
      kind: 'wait',
      waitsFor: trackKey(submission.packageName, track),
      message: `Waits for ${who}, whose release on the track ${track} a person must send for review in the Play Console.`,
      afterSeconds: POLL_SECONDS,
    };
  }
}

/** Those that wait come here again and again. */
function isFirst({ waitsFor, stepAttempts }: Submission): boolean {
  return waitsFor === null && stepAttempts === 0;
}

/** @throws StoreRefusal */
export function trackOf({ track }: Submission): string {
  if (track !== null) return track;
  throw refused(
    'track_missing',
    'The destination names no track. Set googlePlayTrack of the destination and submit again.',
  );
}

/** @returns `null`: Google Play does not show them without an edit, and the edit says why */
async function releasesOf(client: GooglePlayClient, track: string): Promise<ReleaseSummary[] | null> {
  try {
    return await client.releases(track);
  } catch (error) {
    const isUnknown =
      error instanceof StoreRefusal && ['store_refused', 'track_not_found'].includes(error.refusal.code);
    if (isUnknown) return null;
    throw error;
  }
}

/** A draft reaches no user until it is released, so only other releases are compared. */
function requireHigher(
  submission: Submission,
  track: string,
  releases: readonly ReleaseSummary[] | null,
): void {
  const highest = highestCode(releases ?? []);
  if (submission.releaseStatus !== 'completed' || highest === null || codeOf(submission) >= highest) return;
  throw refused(
    'version_code_too_low',
    `The track ${track.slice(0, 60)} has the version code ${highest}, which is above ${submission.versionCode}, so no user would get this release. Raise versionCode, build again and submit that build; a retry does not help.`,
  );
}
