import type { FinalJobStatus } from './job.entity.js';

/** Longest message of a job, in characters: longer ones are cut. */
export const MAX_STATUS_MESSAGE = 300;

/** How a job ends. */
export interface JobEnding {
  readonly status: FinalJobStatus;
  readonly statusMessage?: string | null;
  readonly failedStep?: string | null;
  /** A sentence for the log. A job that has not started gets its `statusMessage` without one. */
  readonly note?: string;
  /** The user, for `canceled`. */
  readonly canceledBy?: string;
  /** The lease of the runner that finishes it. */
  readonly finishedLeaseId?: string;
}
