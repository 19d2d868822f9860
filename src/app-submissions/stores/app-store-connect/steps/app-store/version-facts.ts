import type { ReleaseLook } from '../../../../store-releases/release-look.js';
import type { Submission } from '../../../../submissions/submission.entity.js';
import type { VersionFacts } from '../../app-store/version-look.js';
import { reached } from '../apple-progress.js';

/** What a submission knows about its version. @param known of its release; `null`: nothing yet */
export function factsOf(submission: Submission, known: Pick<ReleaseLook, 'status'> | null): VersionFacts {
  return {
    appleAppId: reached(submission, 'appleAppId'),
    platform: submission.applePlatform,
    buildId: reached(submission, 'buildId'),
    releaseType: submission.appleReleaseType,
    earliestReleaseAt: submission.earliestReleaseAt,
    known,
  };
}
