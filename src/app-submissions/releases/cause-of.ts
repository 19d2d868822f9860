import type { Submission } from '../submissions/submission.entity.js';
import type { ReleaseCause } from './release-changes.js';

/** Who has started a submission, or a change of a release. */
export function causeOf({
  createdByUserId: userId,
  releaseId,
}: Pick<Submission, 'createdByUserId' | 'releaseId'>): ReleaseCause {
  if (userId !== null) return { actor: 'user', userId };
  return { actor: releaseId === null ? 'automation' : 'rollout-plan', userId };
}
