import type { Job } from './job.entity.js';

/** Explains at the end of a job why it has failed. Failure summaries provide it, because they need jobs. */
export abstract class FailureNotes {
  /**
   * In the transaction that ends the job, whose log is locked.
   *
   * @returns the last lines of the log; `null`: none
   */
  abstract atEnd(job: Job): Promise<string | null>;
}
