import type { ReleaseLook } from '../releases/release-look.js';
import type { Submission } from '../submissions/submission.entity.js';
import { refusalOfError } from '../calls/refusals/retry-delay.js';
import type { GooglePlayClient } from './api/google-play-client.js';
import { lookOf, type PlayShare } from './track-releases/release-looks.js';
import { codeOf } from './track-releases/release-of.js';
import { trackOf } from './play-state.js';

/**
 * Where a release is that was just made, or whose share was just set. That has happened, so it does not fail when Google Play
 * does not show it.
 *
 * @param submission that has made it, or that changes it
 * @param share the one that it has now
 */
export async function lookAfterwards(
  client: GooglePlayClient,
  submission: Submission,
  share: PlayShare,
): Promise<ReleaseLook> {
  try {
    const look = lookOf(submission, await client.releases(trackOf(submission)), share, null);
    if (look.status !== 'removed' && look.status !== 'replaced') return look;
  } catch (error) {
    if (refusalOfError(error) === null) throw error;
  }
  return assumedLook(submission, share);
}

/** A new release may be in review; one whose share changes is published. */
function assumedLook(submission: Submission, share: PlayShare): ReleaseLook {
  const { action, releaseStatus } = submission;
  const isDraft = releaseStatus === 'draft';
  const state = action === 'set-rollout' ? 'PUBLISHED' : isDraft ? 'DRAFT' : 'IN_REVIEW';
  const shown = { name: null, state, versionCodes: [codeOf(submission)] };
  return { ...lookOf(submission, [shown], share, null), storeStatus: null };
}
