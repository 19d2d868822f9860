import { inPercent } from '../../../store-releases/in-percent.js';
import type { Submission } from '../../../submissions/submission.entity.js';
import { PLAY_CONSOLE } from '../refusals/play-pages.js';
import type { Done } from '../../../submission-steps/submission-run.js';

/** What a commit means for its submission. */
export type CommitResult = Omit<Done, 'release'>;

type Committed = Pick<Submission, 'action' | 'track' | 'releaseStatus' | 'userFraction'>;

const SEND = 'Send it in the Play Console under "Publishing overview"';

/** The changes of the commit are on their way. */
export function sent(submission: Committed): CommitResult {
  return { state: 'prepared', message: messageOf(submission) };
}

/** The changes of the commit wait for a person who sends them for review. A draft does that in any case. */
export function notSent(submission: Committed): CommitResult {
  const { action, track, releaseStatus } = submission;
  if (action === 'set-rollout') {
    const message = `${messageOf(submission)} The change is not sent for review. ${SEND}.`;
    return { state: 'prepared', message, link: PLAY_CONSOLE };
  }
  if (releaseStatus !== 'completed') return sent(submission);
  const message = `The release is on the track ${track}, but not sent for review. ${SEND}, then mark the deployment as done.`;
  return { state: 'failed_with_action_required', message, link: PLAY_CONSOLE };
}

function messageOf({ action, track, releaseStatus, userFraction }: Committed): string {
  if (action === 'set-rollout') {
    if (userFraction === 0)
      return `The rollout on the track ${track} is halted: no further users get the release.`;
    return userFraction === 1
      ? `All users of the track ${track} get the release.`
      : `${inPercent(userFraction)} of the users of the track ${track} get the release.`;
  }
  return releaseStatus === 'completed'
    ? `The release is on the track ${track}. Google may review it before users get it.`
    : `The draft of the release is on the track ${track}. Finish it in the Play Console.`;
}
