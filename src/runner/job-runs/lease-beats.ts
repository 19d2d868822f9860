import { JobGoneError, RefusedError } from '../api/api-errors.js';
import { sleepUntil } from '../api/backoff.js';
import type { JobApi } from '../api/job-api.js';
import type { Activity } from './time-limits.js';
import { type JobControl, JobStop } from './job-control.js';

/** How long a beat may take, in milliseconds. */
const TRY = 20_000;

/**
 * Keeps the lease of a job, apart from everything else about it, and stops the job as soon as the API says that it is
 * canceled or lost. While the API is away, the job continues: the server gives runners time to return.
 *
 * @param beatSeconds between two beats
 * @param activity when the build got on
 * @returns ends it
 */
export function keepLease(
  api: JobApi,
  beatSeconds: number,
  control: JobControl,
  activity: Activity,
): () => Promise<void> {
  const ended = new AbortController();
  const signal = AbortSignal.any([ended.signal, control.job]);
  const done = (async () => {
    while (!signal.aborted) {
      await beat(api.within(signal), control, activity);
      await sleepUntil(beatSeconds * 1000, signal).catch(() => undefined);
    }
  })();
  return async () => {
    ended.abort();
    await done;
  };
}

async function beat(api: JobApi, control: JobControl, activity: Activity): Promise<void> {
  try {
    await api.extendLease(TRY, activity.idleSeconds);
  } catch (error) {
    if (error instanceof JobGoneError) control.stop(new JobStop(error.reason, error.message));
    else if (error instanceof RefusedError) control.stop(new JobStop('lost', error.message));
    // The API is away.
  }
}
