import { createApp, type TestApp } from '../../builders/app.js';
import { cloneDatabase, query } from '../../setup/databases.js';
import { startServer, type ServerProcess } from '../../setup/server.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectInvalid } from '../../support/http/expect-error.js';
import { temporaryFolder } from '../../support/processes/temporary-folders.js';
import { createTenant, type Site } from '../../builders/identities.js';
import { eventually } from '../../support/eventually.js';
import {
  createJob,
  finishJob,
  grantLease,
  linesBeforeSummary,
  readJob,
  sendLog,
  startJob,
} from '../../support/jobs/leases.js';

let site: Site;
let server: ServerProcess;
let app: TestApp;

beforeAll(async () => {
  const databaseUrl = await cloneDatabase(testEnvironment().templateUrl);
  server = await startServer({
    DATABASE_URL: databaseUrl,
    DATA_DIR: await temporaryFolder(),
    JOB_LEASE_SECONDS: '3',
    JOB_IDLE_SECONDS: '5',
  });
  site = { origin: server.origin, databaseUrl };
  app = await createApp(await createTenant(site));
});

afterAll(() => server.stop());

const set = (table: string, changes: string, id: string): Promise<unknown> =>
  query(site.databaseUrl, `UPDATE ${table} SET ${changes} WHERE ${table === 'jobs' ? 'id' : 'job_id'} = $1`, [
    id,
  ]);
const statusOf = async (jobId: string): Promise<string> => (await readJob(app, jobId)).status;

it('starts a job once, however often the runner says so', async () => {
  const lease = await grantLease(await createJob(app, {}, site), site);
  const starts = await Promise.all(Array.from({ length: 4 }, () => lease.api.post('/v1/runner/job/start')));
  expect(starts.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
  expect(await readJob(app, lease.jobId)).toMatchObject({ status: 'in_progress', attempts: 1 });
});

it('extends the lease with each beat', async () => {
  const lease = await startJob(app, {}, site);
  const { status, body, headers } = await lease.api.put('/v1/runner/job/lease');
  expect([status, body, headers['x-job-status']]).toEqual([
    200,
    { expiresAt: expect.any(String), status: 'in_progress' },
    'running',
  ]);
});

it('takes no log and no end before the start', async () => {
  const lease = await grantLease(await createJob(app, {}, site), site);
  expect([(await sendLog(lease, 0, 'x\n')).status, (await finishJob(lease)).status]).toEqual([409, 409]);
});

it('finishes a job once, and answers a repeated request again', async () => {
  const lease = await startJob(app, {}, site);
  await sendLog(lease, 0, 'one\n');
  const end = { status: 'failed', statusMessage: 'npm test has failed.', step: 'test', logBytes: 4 };
  const answers = await Promise.all([finishJob(lease, end), finishJob(lease, end), finishJob(lease, end)]);
  answers.push(await finishJob(lease, end));
  expect(answers.map(({ status, body }) => [status, body])).toEqual(
    Array.from({ length: 4 }, () => [200, { status: 'failed' }]),
  );
  expect(await readJob(app, lease.jobId)).toMatchObject({
    status: 'failed',
    statusMessage: 'npm test has failed.',
    failedStep: 'test',
  });
  expect((await lease.api.put('/v1/runner/job/lease')).headers['x-job-status']).toBe('lost');
});

it('refuses another attempt, and tokens that are none', async () => {
  const lease = await startJob(app, {}, site);
  expect((await finishJob({ ...lease, attempt: 2 })).status).toBe(410);
  for (const token of ['slj_', `slj_${'A'.repeat(86)}`, app.tenant.owner.token]) {
    const response = await lease.api
      .request('put', '/v1/runner/job/lease')
      .set('Authorization', `Bearer ${token}`);
    expect(response.status).toBe(401);
  }
});

describe('a runner that vanishes', () => {
  it('loses a job that it has not started, which does not count', async () => {
    const lease = await grantLease(await createJob(app, {}, site), site);
    await set('job_leases', `expires_at = now() - interval '1 second'`, lease.jobId);
    await eventually(async () => expect(await statusOf(lease.jobId)).toBe('queued'));
    expect(await readJob(app, lease.jobId)).toMatchObject({ attempts: 0, pendingAt: null, jobLogs: [] });
    expect((await lease.api.post('/v1/runner/job/start')).status).toBe(410);
  });

  it('loses a job, which begins once more and then fails', async () => {
    const first = await startJob(app, {}, site);
    await sendLog(first, 0, 'one\ntw');
    await set('job_leases', `expires_at = now() - interval '1 second'`, first.jobId);
    await eventually(async () => expect(await statusOf(first.jobId)).toBe('queued'));
    expect(await readJob(app, first.jobId)).toMatchObject({ attempts: 1, inProgressAt: null });
    const late = await sendLog(first, 6, 'o\n');
    expect([late.status, late.headers['x-job-status']]).toEqual([410, 'lost']);
    expect((await finishJob(first, { logBytes: 6 })).status).toBe(410);

    const second = await grantLease(first.jobId, site);
    await second.api.post('/v1/runner/job/start');
    expect((await sendLog(second, 0, 'again\n')).status).toBe(202);
    await set('job_leases', `expires_at = now() - interval '1 second'`, first.jobId);
    await eventually(async () => expect(await statusOf(first.jobId)).toBe('failed'));
    const job = await readJob(app, first.jobId);
    expect(linesBeforeSummary(job)).toEqual([
      'one',
      'tw',
      'The runner was lost. Attempt 2 follows.',
      'again',
      'The runner was lost again, so the job has failed.',
    ]);
    expect(job).toMatchObject({ statusMessage: 'Two runners were lost during the job.', attempts: 2 });
  });

  it('keeps a job if it comes back before anyone looks', async () => {
    const lease = await startJob(app, {}, site);
    await set('job_leases', `expires_at = now() - interval '1 hour'`, lease.jobId);
    const { status } = await lease.api.put('/v1/runner/job/lease');
    // The look may have been first.
    expect([200, 410]).toContain(status);
    expect(await statusOf(lease.jobId)).toBe(status === 200 ? 'in_progress' : 'queued');
  });
});

describe('a job', () => {
  const farAway = `expires_at = now() + interval '1 hour'`;

  it('that runs for too long is ended', async () => {
    const lease = await startJob(app, { timeout_seconds: 60 }, site);
    await set(
      'jobs',
      `in_progress_at = now() - interval '2 minutes', pending_at = now() - interval '2 minutes'`,
      lease.jobId,
    );
    await set('job_leases', farAway, lease.jobId);
    await eventually(async () => expect(await statusOf(lease.jobId)).toBe('timed_out'));
    expect(await readJob(app, lease.jobId)).toMatchObject({
      statusMessage: 'The job has run for longer than a minute.',
    });
  });

  it('that writes nothing goes on while its runner says that it gets on', async () => {
    const lease = await startJob(app, {}, site);
    await set('job_leases', farAway, lease.jobId);
    const until = Date.now() + 14_000;
    while (Date.now() < until) {
      expect((await lease.api.put('/v1/runner/job/lease', { idleSeconds: 0 })).status).toBe(200);
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
    expect(await statusOf(lease.jobId)).toBe('in_progress');
    expectInvalid(await lease.api.put('/v1/runner/job/lease', { idleSeconds: -1 }), 'idleSeconds');
  });

  it('that writes nothing is ended', async () => {
    const lease = await startJob(app, {}, site);
    await set('job_leases', farAway, lease.jobId);
    await eventually(async () => expect(await statusOf(lease.jobId)).toBe('timed_out'));
    const job = await readJob(app, lease.jobId);
    expect(linesBeforeSummary(job)).toEqual(['The job has written nothing to its log for 5 seconds.']);
  });
});

it('ends for a runner that was deleted, and for one of the organization that the app has left', async () => {
  const runnerOf = '(SELECT runner_id FROM job_leases WHERE job_id = $1)';
  const deleted = await startJob(app, {}, site);
  await query(site.databaseUrl, `DELETE FROM runners WHERE id = ${runnerOf}`, [deleted.jobId]);
  expect((await deleted.api.request('put', '/v1/runner/job/lease').send({})).status).toBe(410);
  const left = await startJob(app, {}, site);
  const other = await createTenant(site);
  await query(site.databaseUrl, `UPDATE runners SET organization_id = $2 WHERE id = ${runnerOf}`, [
    left.jobId,
    other.organizationId,
  ]);
  expect((await left.api.request('put', '/v1/runner/job/lease').send({})).status).toBe(410);
});
