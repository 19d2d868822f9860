import { inPercent } from '../../../store-releases/in-percent.js';
import { Injectable } from '@nestjs/common';
import type { Submission } from '../../../submissions/submission.entity.js';
import { StoreRefusal } from '../../refusals/refusal.js';
import type { StepContext, StepResult } from '../../store.js';
import type { GooglePlayClient } from '../google-play-client.js';
import { type PlayShare, lookOf, shareOfRelease } from '../track-releases/release-looks.js';
import {
  findRelease,
  isAhead,
  isHaltedByPerson,
  rolloutOf,
  type WholeRelease,
} from '../track-releases/rollout-of.js';
import { trackOf } from './check.step.js';
import { type OpenEdit, PlayEdits } from './play-edits.service.js';
import { PlayLooks } from './play-looks.service.js';
import { MAX_EDITS, progressOf } from './play-progress.js';
import { unanswered } from '../refusals/own-refusals.js';

/**
 * Sets the share of users of a release in a separate edit: the track is read, and sent back with nothing else changed.
 * It also settles a commit whose response was lost: the track of another edit shows whether it took effect.
 */
@Injectable()
export class SetRolloutStep {
  constructor(
    private readonly edits: PlayEdits,
    private readonly looks: PlayLooks,
  ) {}

  /** @throws StoreRefusal @throws StoreUnreachableError */
  async run(context: StepContext): Promise<StepResult> {
    const { submission } = context;
    const track = trackOf(submission);
    if (submission.waitsFor === null && submission.stepAttempts === 0 && submission.commitSentAt === null)
      await context.log(
        `Setting the share of users of ${submission.packageName} (${submission.versionCode}) on the track ${track} of Google Play to ${inPercent(submission.userFraction)}.`,
      );
    const edit = await this.edits.open(context);
    return 'kind' in edit ? edit : this.change(context, edit, track);
  }

  private async change(
    context: StepContext,
    { client, editId }: OpenEdit,
    track: string,
  ): Promise<StepResult> {
    const { submission } = context;
    const releases = await client.wholeTrack(editId, track);
    const rollout = await this.rolloutOf(client, submission, releases);
    const progress = progressOf(submission);
    const wasSent = submission.commitSentAt !== null;
    if (rollout.kind === 'is-ahead') {
      // A commit that took effect before a person went on.
      if (wasSent) return this.done(context, client, rollout.release);
      throw await this.withLook(client, submission, rollout.release, isAhead(submission, rollout.release));
    }
    if (rollout.kind === 'is-there') {
      // Google can give the same edit twice, with what an earlier run has written into it.
      if (progress.writtenEditId === editId) return { kind: 'next', step: 'validate' };
      return this.done(context, client, rollout.release);
    }
    if (isResumedByPlan(submission, rollout.release))
      throw await this.withLook(client, submission, rollout.release, isHaltedByPerson(rollout.release));
    if (wasSent) {
      await context.log('The commit did not take effect.');
      // The edit is known to be open, so it can be discarded and the job canceled again.
      await context.save({ commitSentAt: null });
      if ((progress.edits ?? 0) > MAX_EDITS) throw unanswered();
    }
    const { userFraction: present } = rollout.release;
    const isHalt = submission.userFraction === 0;
    await context.save({
      state: 'preparing',
      external: {
        ...progress,
        writtenEditId: editId,
        ...(isHalt && present !== null && { resumeFraction: present }),
      },
    });
    await context.log(
      `Google Play has it at ${shareText(rollout.release)}. Other releases of the track stay as they are.`,
    );
    await client.replaceTrack(editId, track, rollout.releases);
    return { kind: 'next', step: 'validate' };
  }

  /** What the store has is recorded also when the change is refused. @throws StoreRefusal */
  private async rolloutOf(
    client: GooglePlayClient,
    submission: Submission,
    releases: readonly WholeRelease[],
  ): Promise<ReturnType<typeof rolloutOf>> {
    try {
      return rolloutOf(submission, releases);
    } catch (error) {
      if (!(error instanceof StoreRefusal)) throw error;
      throw await this.withLook(client, submission, findRelease(submission, releases), error);
    }
  }

  private async withLook(
    client: GooglePlayClient,
    submission: Submission,
    release: WholeRelease | null,
    { refusal, status, storeMessage }: StoreRefusal,
  ): Promise<StoreRefusal> {
    const shown = await client.releases(trackOf(submission));
    const share = release === null ? NO_SHARE : shareOfRelease(release);
    return new StoreRefusal(refusal, status, storeMessage, lookOf(submission, shown, share, null));
  }

  private async done(
    context: StepContext,
    client: GooglePlayClient,
    release: WholeRelease,
  ): Promise<StepResult> {
    const { submission } = context;
    const message = `The release is at ${shareText(release)} on the track ${trackOf(submission)}.`;
    await context.log(message);
    return {
      kind: 'done',
      state: 'prepared',
      message,
      release: await this.looks.afterwards(client, submission, shareOfRelease(release)),
    };
  }
}

/** A plan ends when its release is halted, so only a person can have halted it in the store. Persons may resume it. */
function isResumedByPlan(
  { createdByUserId, userFraction }: Submission,
  { status }: Pick<WholeRelease, 'status'>,
): boolean {
  return createdByUserId === null && userFraction > 0 && status === 'halted';
}

const NO_SHARE: PlayShare = { userFraction: null, resumeFraction: null };

/** The share of a release for people. */
function shareText({ status, userFraction }: WholeRelease): string {
  if (status === 'completed') return '100 %';
  const share = userFraction === null ? 'an unknown share' : inPercent(userFraction);
  return status === 'halted' ? `${share}, halted` : share;
}
