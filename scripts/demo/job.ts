import { setTimeout as sleep } from 'node:timers/promises';
import type { Api } from './api.ts';

/** What the API returns about a job. */
export interface Job {
  readonly status: string;
  readonly finishedAt: string | null;
  readonly jobLogs: readonly { readonly payload: string }[];
}

/** Longer than any job of a demo. */
const PATIENCE_MS = 120_000;

/**
 * Waits until a job ends.
 *
 * @param print gets each new line of its log
 * @throws Error when it takes too long
 */
export async function followJob(
  api: Api,
  id: string,
  print: (line: string) => void = () => undefined,
): Promise<Job> {
  const end = Date.now() + PATIENCE_MS;
  for (let printed = 0; Date.now() < end; await sleep(200)) {
    const job = await api.get<Job>(`/v1/jobs/${id}?relations=jobLogs`);
    const lines = job.jobLogs.flatMap(({ payload }) => payload.split('\n'));
    for (const line of lines.slice(printed)) print(line);
    printed = lines.length;
    if (job.finishedAt !== null) return job;
  }
  throw new Error(`The job ${id} does not end.`);
}
