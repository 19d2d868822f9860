import { v7 as uuid } from 'uuid';
import { createApp, type TestApp } from '../../builders/app.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import {
  createJob,
  finishJob,
  grantLease,
  linesOf,
  readJob,
  sendLog,
  startJob,
} from '../../support/jobs/leases.js';
import { auditEvents } from '../../support/organizations/audit-log.js';

const { databaseUrl, origin } = testEnvironment();
let app: TestApp;

beforeAll(async () => {
  app = await createApp();
});

const idsOf = ({ body }: { body: unknown }): string[] => (body as { id: string }[]).map(({ id }) => id);

describe('a job', () => {
  it('is shown with its times and durations, rounded down', async () => {
    const id = await createJob(app, {
      status: 'succeeded',
      attempts: 1,
      created_at: '2026-11-20T10:00:00.000Z',
      queued_at: '2026-11-20T10:00:00.100Z',
      pending_at: '2026-11-20T10:00:18.900Z',
      in_progress_at: '2026-11-20T10:00:27.000Z',
      finished_at: '2026-11-20T10:00:54.999Z',
    });
    const { status, body } = await app.api.get(`/v1/jobs/${id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      id,
      status: 'succeeded',
      appId: app.id,
      organizationId: app.tenant.organizationId,
      appBuildId: null,
      appDeploymentId: null,
      stack: 'ubuntu',
      canceledAt: null,
      canceledBy: null,
      createdBy: app.tenant.owner.userId,
      queueTimeInSeconds: 18,
      pendingTimeInSeconds: 8,
      inProgressTimeInSeconds: 27,
      totalTimeInSeconds: 54,
    });
    expect(body).not.toHaveProperty('jobLogs');
  });

  it('names its build, in responses and in the audit log', async () => {
    const build = uuid();
    const id = await createJob(app, { subject_id: build });
    expect((await app.api.get(`/v1/jobs/${id}`)).body).toMatchObject({ appBuildId: build });
    const [created] = await auditEvents(app.tenant, `objectId=${id}`);
    expect(created).toMatchObject({ object: { id }, after: { kind: 'build', subjectId: build } });
  });

  it.each([
    ['null', 'This build was uploaded: it has no job.'],
    ['undefined', 'Job not found.'],
    ['1', 'Job not found.'],
    [uuid(), 'Job not found.'],
  ])('with the id %s does not exist', async (id, message) => {
    for (const response of [
      await app.api.get(`/v1/jobs/${id}`),
      await app.api.get(`/v1/jobs/${id}/logs`),
      await app.api.patch(`/v1/jobs/${id}`, { status: 'canceled' }),
    ]) {
      expect([response.status, response.body]).toMatchObject([404, { code: 'job_not_found', message }]);
    }
  });

  it('does not exist for those who cannot see its app', async () => {
    const id = await createJob(app);
    const { owner } = await createTenant();
    expect((await owner.api.get(`/v1/jobs/${id}`)).status).toBe(404);
    expect((await owner.api.patch(`/v1/jobs/${id}`, { status: 'canceled' })).status).toBe(404);
    const viewer = await createMember(app.tenant, 'viewer');
    expect((await viewer.api.get(`/v1/jobs/${id}`)).status).toBe(200);
    expect((await viewer.api.patch(`/v1/jobs/${id}`, { status: 'canceled' })).status).toBe(403);
  });

  it('is there for tokens that are limited to builds and to its app', async () => {
    const other = await createApp(app.tenant);
    const [own, foreign] = [await createJob(app), await createJob(other)];
    const { token } = await createToken(app.api, { permissions: ['builds:read'], appIds: [app.id] });
    const api = new Api(origin, token);
    expect((await api.get(`/v1/jobs/${own}`)).status).toBe(200);
    expect((await api.get(`/v1/jobs/${foreign}`)).status).toBe(404);
    expect((await api.patch(`/v1/jobs/${own}`, { status: 'canceled' })).status).toBe(403);
    const list = await api.get(`/v1/jobs?organizationId=${app.tenant.organizationId}`);
    expect(idsOf(list)).toContain(own);
    expect(idsOf(list)).not.toContain(foreign);
  });
});

describe('the list of jobs', () => {
  it('filters by status, newest first, and needs an organization', async () => {
    const own = await createApp();
    const path = `/v1/jobs?organizationId=${own.tenant.organizationId}`;
    const [older, newer] = [await createJob(own), await createJob(own)];
    const { jobId } = await startJob(own);
    expect(idsOf(await own.api.get(`${path}&status=queued`))).toEqual([newer, older]);
    expect(idsOf(await own.api.get(`${path}&status=in_progress,pending`))).toEqual([jobId]);
    expect((await own.api.get(`${path}&status=unknown`)).status).toBe(400);
    expect((await own.api.get('/v1/jobs')).status).toBe(400);
    expect((await own.api.get('/v1/jobs?organizationId=1')).status).toBe(400);
    expect((await app.api.get(path)).status).toBe(404);
  });
});

describe('canceling', () => {
  const cancel = (id: string) => app.api.patch(`/v1/jobs/${id}`, { status: 'canceled' });

  it('ends a job at once, whatever it does, and its runner stops', async () => {
    const queued = await createJob(app);
    const pending = await grantLease(await createJob(app));
    const running = await startJob(app);
    await sendLog(running, 0, 'one\ntwo');
    for (const id of [queued, pending.jobId, running.jobId]) {
      const { status, body } = await cancel(id);
      const { canceledAt, finishedAt } = body as { canceledAt: string; finishedAt: string };
      expect([status, body]).toMatchObject([
        200,
        { status: 'canceled', canceledBy: app.tenant.owner.userId, finishedAt: expect.any(String) },
      ]);
      expect(canceledAt).toBe(finishedAt);
    }
    for (const { api } of [pending, running]) {
      const beat = await api.put('/v1/runner/job/lease');
      expect([beat.status, beat.headers['x-job-status']]).toEqual([410, 'canceled']);
      expect(beat.body).toMatchObject({ code: 'lease_lost' });
    }
    expect(linesOf(await readJob(app, running.jobId))).toEqual(['one', 'two', 'The job was canceled.']);
    for (const id of [queued, pending.jobId])
      expect(linesOf(await readJob(app, id))).toEqual(['The job was canceled.']);
  });

  it('of a job that has ended is refused', async () => {
    const id = await createJob(app);
    expect((await cancel(id)).status).toBe(200);
    expect([(await cancel(id)).status, (await cancel(id)).body]).toMatchObject([
      400,
      { code: 'job_finished' },
    ]);
    expect((await app.api.patch(`/v1/jobs/${id}`, { status: 'succeeded' })).status).toBe(400);
  });

  it('twice, or while the runner finishes, ends it once', async () => {
    for (let round = 0; round < 10; round++) {
      const lease = await startJob(app);
      const answers = await Promise.all([cancel(lease.jobId), finishJob(lease), cancel(lease.jobId)]);
      const ended = answers.filter(({ status }) => status === 200);
      expect(ended).toHaveLength(1);
      const [body] = ended.map((answer) => answer.body as { status: string });
      expect((await readJob(app, lease.jobId)).status).toBe(body?.status);
    }
  });
});

describe('the database', () => {
  const update = (id: string, set: string) =>
    query(databaseUrl, `UPDATE jobs SET ${set} WHERE id = $1`, [id]);

  it('lets no job leave a final status, skip one, or begin a third attempt', async () => {
    const id = await createJob(app);
    await expect(update(id, `status = 'succeeded', finished_at = now()`)).rejects.toThrow('cannot change');
    await app.api.patch(`/v1/jobs/${id}`, { status: 'canceled' });
    await expect(update(id, `status = 'queued', finished_at = NULL`)).rejects.toThrow('cannot change');
    const lease = await startJob(app, { attempts: 1 });
    await expect(update(lease.jobId, `status = 'queued'`)).rejects.toThrow('cannot change');
  });
});

it('deletes jobs and their logs with the app', async () => {
  const doomed = await createApp();
  const lease = await startJob(doomed);
  await sendLog(lease, 0, 'line\n');
  expect((await doomed.api.delete(`/v1/apps/${doomed.id}`)).status).toBe(204);
  const beat = await lease.api.put('/v1/runner/job/lease');
  expect([beat.status, beat.headers['x-job-status']]).toEqual([410, 'lost']);
  const rows = await query(
    databaseUrl,
    'SELECT FROM job_logs WHERE id = $1 UNION ALL SELECT FROM job_log_chunks WHERE job_id = $1',
    [lease.jobId],
  );
  expect(rows).toEqual([]);
});

it('takes jobs along when an app moves to another organization', async () => {
  const moved = await createApp();
  const id = await createJob(moved);
  const other = await createTenant();
  await query(databaseUrl, 'UPDATE apps SET organization_id = $2 WHERE id = $1', [
    moved.id,
    other.organizationId,
  ]);
  expect((await other.owner.api.get(`/v1/jobs/${id}`)).body).toMatchObject({
    organizationId: other.organizationId,
  });
});
