import type { Submission } from '../../../app-submissions/submissions/submission.entity.js';
import type { ReleaseOptions } from '../../store-deployments/requested-release.js';
import type { StoreDeployment, StoreTarget } from '../../store-deployments/store-deployments.service.js';
import type { Emergency } from '../emergency.js';

/** A new deployment to a store. */
export interface NewStoreDeployment extends StoreTarget {
  readonly rolloutPercentage?: number | null;
  readonly releaseNotes?: Record<string, string> | null;
  readonly inAppUpdatePriority?: number | null;
  readonly cancelRunningReview?: boolean | null;
  readonly acceptNewSigner?: boolean | null;
  readonly appleEarliestReleaseDate?: Date | null;
  /** Submits a version again. */
  readonly force?: boolean | null;
  /** Overrides approvals and freezes. */
  readonly emergency?: Emergency | null;
}

/** How a request wants the release. Notes that it does not have are those of the build. */
export function optionsOf({ build }: StoreDeployment, values: NewStoreDeployment): ReleaseOptions {
  return {
    releaseNotes: values.releaseNotes ?? build.releaseNotes,
    rolloutPercentage: values.rolloutPercentage ?? 1,
    inAppUpdatePriority: values.inAppUpdatePriority ?? null,
    cancelsReview: values.cancelRunningReview ?? false,
    earliestReleaseAt: values.appleEarliestReleaseDate ?? null,
  };
}

/** How the request wanted it that has made a submission. */
export function optionsOfSubmission(submission: Submission): ReleaseOptions {
  const { releaseNotes, userFraction, inAppUpdatePriority, cancelsReview, earliestReleaseAt } = submission;
  return {
    releaseNotes,
    rolloutPercentage: userFraction,
    inAppUpdatePriority,
    cancelsReview,
    earliestReleaseAt,
  };
}
