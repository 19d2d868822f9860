import { GoneError } from '../../common/errors/app-error.js';
import type { JobStatus } from '../jobs/job.entity.js';

/** The header of every response to a runner about its job. */
export const JOB_STATUS_HEADER = 'X-Job-Status';

/** What a runner has to know: continue, or stop because of a person, or because it has lost the job. */
export type RunnerView = 'running' | 'canceled' | 'lost';

/** 410: the job no longer belongs to the runner. */
export class LeaseLostError extends GoneError {
  override readonly headers: Readonly<Record<string, string>>;

  /** @param status of the job; `null`: it was deleted */
  constructor(status: JobStatus | null) {
    const view: RunnerView = status === 'canceled' ? 'canceled' : 'lost';
    super(
      view === 'canceled' ? 'The job was canceled.' : 'The job does not belong to this runner any more.',
      'lease_lost',
    );
    this.headers = { [JOB_STATUS_HEADER]: view };
  }
}
