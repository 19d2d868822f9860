import type { Api } from './api.ts';
import { type Job, followJob } from './job.ts';
import { fact, note } from './print.ts';

/** A deployment to a destination. */
export interface Deployment {
  readonly id: string;
  readonly jobId: string;
  readonly submission: { readonly state: string; readonly message: string | null };
}

/** Submits a build, and prints the log of the job. */
export async function deploy(
  api: Api,
  appPath: string,
  body: object,
): Promise<{ deployment: Deployment; job: Job }> {
  const created = await api.post<Deployment>(`${appPath}/deployments`, body);
  fact(`deployment ${created.id}, with this log:`);
  const job = await followJob(api, created.jobId, note);
  return { deployment: await api.get<Deployment>(`${appPath}/deployments/${created.id}`), job };
}
