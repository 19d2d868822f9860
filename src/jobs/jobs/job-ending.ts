import type { FinalJobStatus } from './job.entity.js';

/** How a job ends. */
export interface JobEnding {
  readonly status: FinalJobStatus;
  readonly statusMessage?: string | null;
  readonly failedStep?: string | null;
  /** A sentence for the log of a job that had started. */
  readonly note?: string;
  /** The user, for `canceled`. */
  readonly canceledBy?: string;
  /** The lease of the runner that finishes it. */
  readonly finishedLeaseId?: string;
}
