import type { FinishJobDto } from '../../jobs/runner-jobs/runner-jobs.dto.js';
import { RefusedError } from '../api/api-errors.js';
import type { JobApi } from '../api/job-api.js';
import type { OpenLog } from './open-log.js';

/** Longest message that the API takes, in characters. */
const MAX_MESSAGE = 1000;
/** How often the end of a job is sent again because a part of its log is missing. */
const RESENDS = 5;

/** How a build ended, as the API learns it. */
export interface Outcome {
  readonly status: FinishJobDto['status'];
  readonly message: string | null;
  readonly step: string | null;
}

/**
 * Sends the rest of the log, then the end.
 *
 * @param open `null`: the build has no log
 * @returns what the API has accepted; its message is without secrets
 * @throws RefusedError when the API does not accept the end
 * @throws the reason of the job's signal
 */
export async function reportOutcome(
  api: JobApi,
  attempt: number,
  open: OpenLog | null,
  { status, message, step }: Outcome,
): Promise<Omit<Outcome, 'step'>> {
  const text = message === null || open === null ? message : open.masked(message);
  if (text !== null) open?.log.line(text);
  await open?.end();
  const end = { attempt, step, statusMessage: text?.slice(0, MAX_MESSAGE) ?? null };
  try {
    await finish(api, open, { ...end, status });
    return { status, message: text };
  } catch (error) {
    // The API knows that something is missing.
    if (!(error instanceof RefusedError) || status !== 'succeeded') throw error;
    await finish(api, open, { ...end, status: 'failed', statusMessage: error.message, step: 'output' });
    return { status: 'failed', message: error.message };
  }
}

async function finish(api: JobApi, open: OpenLog | null, end: Omit<FinishJobDto, 'logBytes'>): Promise<void> {
  for (let resends = 0; ; resends++) {
    try {
      await api.finish({ ...end, logBytes: open?.length ?? 0 });
      return;
    } catch (error) {
      const isBehind = error instanceof RefusedError && error.code === 'log_out_of_step';
      if (!isBehind || open === null || resends === RESENDS) throw error;
      await open.resendFrom(error.headers.get('upload-offset'));
    }
  }
}
