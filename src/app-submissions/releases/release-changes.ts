import { Injectable } from '@nestjs/common';
import { Listeners } from '../../common/listeners.js';
import type { JobStatus } from '../../jobs/jobs/job.entity.js';
import type { ReleaseActor } from '../release-history/release-event.entity.js';
import type { Submission } from '../submissions/submission.entity.js';
import type { StoreRelease } from './store-release.entity.js';

/** Who has caused something. */
export interface ReleaseCause {
  readonly actor: ReleaseActor;
  /** `null`: no user, or the user was deleted. */
  readonly userId: string | null;
}

/** The end of the job of a submission, or of a change of its release. */
export interface EndedAction {
  /** As it was before. */
  readonly submission: Submission;
  readonly hasSucceeded: boolean;
  /** One sentence; `null`: there is nothing to say. */
  readonly message: string | null;
  /** Why the store has refused it, in its words; `null`: it has not, or said nothing. */
  readonly storeMessage: string | null;
  /** How the job has ended. */
  readonly status: JobStatus;
  /** The user who has canceled it; `null`: it was not canceled, or the user was deleted. */
  readonly canceledBy: string | null;
}

/** What happens to releases in stores, for those who follow them. */
@Injectable()
export class ReleaseChanges {
  /** A change of a release was requested; its job has begun. */
  readonly requested = new Listeners<[change: Submission, cause: ReleaseCause]>();
  /** A change was refused because of where the release is, as far as that is known. Its transaction is rolled back. */
  readonly refused = new Listeners<[release: StoreRelease]>();
  /** A submission, or a change of its release, has ended. */
  readonly actionEnded = new Listeners<[ended: EndedAction]>();
  /** A person has finished in the store what a submission, or a change of its release, asked for. */
  readonly finished = new Listeners<[submission: Submission, cause: ReleaseCause]>();
  /** It was written where a release is, which may be where it was. */
  readonly recorded = new Listeners<[release: StoreRelease]>();
  /** The status or the share of a release is another one. `before` is `null` for a new one. */
  readonly moved = new Listeners<[release: StoreRelease, before: StoreRelease | null, cause: ReleaseCause]>();
}

/** Who has started a submission, or a change of a release. */
export function causeOf({
  createdByUserId: userId,
  releaseId,
}: Pick<Submission, 'createdByUserId' | 'releaseId'>): ReleaseCause {
  if (userId !== null) return { actor: 'user', userId };
  return { actor: releaseId === null ? 'automation' : 'rollout-plan', userId };
}
