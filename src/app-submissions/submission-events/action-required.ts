import type { ReleaseActor } from '../release-history/release-event.entity.js';
import type { ReleaseStatus } from '../releases/store-release.entity.js';
import type { Submission } from '../submissions/submission.entity.js';

/** Why a release waits for a person. */
export const actionReasons = [
  'draft',
  'not_sent_for_review',
  'rejected',
  'stopped',
  'manual_release',
  'refused',
] as const;
export type ActionReason = (typeof actionReasons)[number];

type Judged = Pick<Submission, 'state' | 'releaseId' | 'link' | 'appleReleaseType'>;

/**
 * Whether a release that has a new status waits for a person.
 *
 * @param submission that has made the release, as it is now
 * @param actor who has changed the status
 * @returns `null`: it does not, or the state of its submission shows it already
 */
export function reasonOfStatus(
  status: ReleaseStatus,
  submission: Judged,
  actor: ReleaseActor,
): ActionReason | null {
  switch (status) {
    case 'rejected':
      return 'rejected';
    case 'draft':
    case 'not_sent_for_review':
      return submission.state === 'failed_with_action_required' ? null : status;
    case 'paused':
    case 'halted':
      return actor === 'store' ? 'stopped' : null;
    case 'approved':
      return submission.appleReleaseType === 'manual' ? 'manual_release' : null;
    default:
      return null;
  }
}

/** As `reasonOfStatus`, of a submission that has a new state. */
export function reasonOfState({ state, releaseId, link }: Judged): ActionReason | null {
  if (state === 'failed_with_action_required') return 'not_sent_for_review';
  // The change is in the store, and has a page only when a person has to send it there.
  return state === 'prepared' && releaseId !== null && link !== null ? 'not_sent_for_review' : null;
}
