import { insertRunner } from './test-runner.js';
import { gzipSync } from 'node:zlib';
import type { Response } from 'supertest';
import { v7 as uuid } from 'uuid';
import { LeaseTokens } from '../../../src/jobs/job-leases/lease-token.js';
import { SUMMARY_NOTE } from '../../../src/jobs/job-logs/log-notes.js';
import type { TestApp } from '../../builders/app.js';
import type { Site } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { ENCRYPTION_KEY } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../http/api.js';
import { expectOpenApi } from '../http/expect-openapi.js';

/** A job as the API shows it. */
export interface TestJob extends Record<string, unknown> {
  readonly id: string;
  readonly status: string;
  readonly jobLogs?: readonly TestJobLog[];
}

/** A chunk of a log. */
export interface TestJobLog {
  readonly jobId: string;
  readonly number: number;
  readonly payload: string;
  readonly timestamp: string;
}

/** A job that a test works on as its runner would. */
export interface TestLease {
  readonly id: string;
  readonly jobId: string;
  readonly attempt: number;
  /** Calls with the job token. */
  readonly api: Api;
}

/** A queued job, written to the database directly, of an app without builds. @returns its id */
export async function createJob(
  app: TestApp,
  values: object = {},
  site: Site = testEnvironment(),
): Promise<string> {
  const id = uuid();
  const row = {
    id,
    organization_id: app.tenant.organizationId,
    app_id: app.id,
    kind: 'build',
    status: 'queued',
    platform: 'web',
    stack: 'ubuntu',
    queued_at: 'now()',
    created_by: app.tenant.owner.userId,
    ...values,
  };
  const columns = Object.keys(row);
  await query(
    site.databaseUrl,
    `INSERT INTO jobs (${columns.join(', ')}) VALUES (${columns.map((_, index) => `$${index + 1}`).join(', ')})`,
    Object.values(row),
  );
  return id;
}

/** Gives a queued job to a runner that is the test. */
export async function grantLease(
  jobId: string,
  site: Site = testEnvironment(),
  seconds = 600,
): Promise<TestLease> {
  const id = uuid();
  const { token, hash } = new LeaseTokens([ENCRYPTION_KEY]).make({ leaseId: id, jobId });
  const [job] = await query<{ attempts: number }>(
    site.databaseUrl,
    `UPDATE jobs SET status = 'pending', pending_at = now() WHERE id = $1 RETURNING attempts`,
    [jobId],
  );
  const attempt = (job?.attempts ?? 0) + 1;
  const runnerId = await insertRunner(site.databaseUrl);
  await query(
    site.databaseUrl,
    `INSERT INTO job_leases (id, job_id, attempt, runner_id, session_id, claim_id, token_hash, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, now() + make_interval(secs => $8))`,
    [id, jobId, attempt, runnerId, uuid(), uuid(), hash, seconds],
  );
  return { id, jobId, attempt, api: new Api(site.origin, token) };
}

/** A job that runs, of a runner that is the test. */
export async function startJob(
  app: TestApp,
  values: object = {},
  site: Site = testEnvironment(),
): Promise<TestLease> {
  const lease = await grantLease(await createJob(app, values, site), site);
  const started = await lease.api.post('/v1/runner/job/start');
  expect([started.status, started.body]).toEqual([200, { status: 'in_progress' }]);
  return lease;
}

/** Sends a part of a log as a runner does. */
export async function sendLog(
  { api }: TestLease,
  offset: number,
  text: string | Buffer,
  { gzip = false } = {},
): Promise<Response> {
  const body = gzip ? gzipSync(text) : text.toString();
  const request = api
    .request('patch', '/v1/runner/job/log')
    .set('Upload-Offset', String(offset))
    .set('Content-Type', 'text/plain');
  const response = await (gzip ? request.set('Content-Encoding', 'gzip').send(body) : request.send(body));
  expectOpenApi('patch', '/v1/runner/job/log', response);
  return response;
}

/** Ends a job as its runner does. */
export function finishJob({ api, attempt }: TestLease, values: object = {}): Promise<Response> {
  return api.post('/v1/runner/job/finish', { attempt, status: 'failed', logBytes: 0, ...values });
}

/** The job with its log. */
export async function readJob(
  app: TestApp,
  jobId: string,
): Promise<TestJob & { jobLogs: readonly TestJobLog[] }> {
  const { status, body } = await app.api.get(`/v1/jobs/${jobId}?relations=jobLogs`);
  expect(status).toBe(200);
  return body as TestJob & { jobLogs: readonly TestJobLog[] };
}

/** The lines of a log, whatever its chunks. */
export function linesOf({ jobLogs = [] }: TestJob): string[] {
  expect(jobLogs.map(({ number }) => number)).toEqual(jobLogs.map((_, index) => index + 1));
  return jobLogs.flatMap(({ payload }) => payload.split('\n'));
}

/** The lines of the log of a job that has failed, or timed out, before the summary that ends it. */
export function linesBeforeSummary(job: TestJob): string[] {
  const { jobLogs = [] } = job;
  expect(jobLogs.at(-1)?.payload).toMatch(/^The (job|step) .*\n\nWhat to do:\n- .+$/s);
  expect(jobLogs.at(-2)?.payload).toBe(SUMMARY_NOTE);
  return linesOf({ ...job, jobLogs: jobLogs.slice(0, -2) });
}
