import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, registerBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { uploadBundle } from '../../builders/publication.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectError } from '../../support/http/expect-error.js';
import type { TestJob } from '../../support/jobs/leases.js';
import { publish, uploadFiles } from '../../support/live-updates/uploads.js';
import { auditEvents } from '../../support/organizations/audit-log.js';

let app: TestApp;

beforeEach(async () => {
  app = await createApp();
});

/** What a build or a deployment shows with its job. */
interface WithJob {
  readonly jobId: string | null;
  readonly job: TestJob;
  readonly createdAt: string;
}

async function shown(kind: 'builds' | 'deployments', id: string, relations = 'job'): Promise<WithJob> {
  const response = await app.api.get(`${app.path}/${kind}/${id}?relations=${relations}`);
  expect(response.status).toBe(200);
  return response.body as WithJob;
}

/** The fields that only a job has that was done. */
const nothingDone = {
  statusMessage: null,
  platform: null,
  stack: '',
  labels: [],
  attempts: 0,
  timeoutInSeconds: null,
  failedStep: null,
  runnerId: null,
  jobLogs: [],
  queuedAt: null,
  pendingAt: null,
  inProgressAt: null,
  canceledAt: null,
  canceledBy: null,
  queueTimeInSeconds: null,
  pendingTimeInSeconds: null,
  inProgressTimeInSeconds: null,
};

describe('the job of an uploaded build', () => {
  it('is pending until its bundle is published, then has succeeded', async () => {
    const bundle = await createBundle(app);
    const pending = await shown('builds', bundle.buildId);
    const expected = {
      ...nothingDone,
      id: bundle.buildId,
      appId: app.id,
      organizationId: app.tenant.organizationId,
      appBuildId: bundle.buildId,
      appDeploymentId: null,
      createdAt: pending.createdAt,
      createdBy: null,
    };
    expect(pending.jobId).toBeNull();
    expect(pending.job).toEqual({
      ...expected,
      status: 'pending',
      finishedAt: null,
      totalTimeInSeconds: null,
    });
    await uploadFiles(bundle, { 'index.html': '<html>' });
    await query(
      testEnvironment().databaseUrl,
      `UPDATE builds SET created_at = created_at - interval '90 seconds' WHERE id = $1`,
      [bundle.buildId],
    );
    expect((await publish(bundle)).status).toBe(200);
    const { jobId, job, createdAt } = await shown('builds', bundle.buildId);
    expect(jobId).toBeNull();
    expect(job).toEqual({
      ...expected,
      status: 'succeeded',
      createdAt,
      finishedAt: expect.any(String) as string,
      totalTimeInSeconds: expect.any(Number) as number,
    });
    expect(job['totalTimeInSeconds']).toBeGreaterThanOrEqual(90);
    // Changes of the build do not move its end.
    await app.api.patch(`${app.path}/builds/${bundle.buildId}`, { displayName: 'Spring' });
    expect((await shown('builds', bundle.buildId)).job['finishedAt']).toBe(job['finishedAt']);
  });

  it.each<[string, (of: TestApp) => Promise<TestBundle>]>([
    ['zip', uploadBundle],
    ['registered zip', registerBundle],
  ])('has succeeded with a %s, also in lists and with its log', async (_kind, create) => {
    const { buildId } = await create(app);
    const { job } = await shown('builds', buildId, 'job,job.jobLogs');
    expect(job).toMatchObject({ ...nothingDone, id: buildId, status: 'succeeded' });
    expect(job['finishedAt']).toEqual(expect.any(String));
    for (const relations of ['job', 'job.jobLogs']) {
      const { body } = await app.api.get(`${app.path}/builds?relations=${relations}`);
      expect(body).toMatchObject([{ id: buildId, jobId: null, job }]);
    }
    expect((await app.api.get(`${app.path}/builds/${buildId}`)).body).not.toHaveProperty('job');
  });
});

describe('the job of a deployment to a channel', () => {
  it('has succeeded, by the user who deployed', async () => {
    const { buildId } = await uploadBundle(app);
    const { id } = await createDeployment(app, { appBuildId: buildId });
    const { jobId, job, createdAt } = await shown('deployments', id, 'job,job.jobLogs');
    expect(jobId).toBeNull();
    expect(job).toEqual({
      ...nothingDone,
      id,
      status: 'succeeded',
      appId: app.id,
      organizationId: app.tenant.organizationId,
      appBuildId: null,
      appDeploymentId: id,
      createdAt,
      finishedAt: createdAt,
      totalTimeInSeconds: 0,
      createdBy: app.tenant.owner.userId,
    });
    const { body } = await app.api.get(`${app.path}/deployments?relations=job`);
    expect((body as WithJob[]).find((each) => each.job.id === id)).toMatchObject({ id, jobId: null, job });
  });

  it('has succeeded although the deployment waits for approvals', async () => {
    const { buildId } = await uploadBundle(app);
    const { id: appChannelId } = await createChannel(app, { requiredApprovals: 1 });
    const { id } = await createDeployment(app, { appBuildId: buildId, appChannelId });
    expect(await shown('deployments', id)).toMatchObject({
      approvalStatus: 'pending',
      job: { status: 'succeeded', finishedAt: expect.any(String) as string },
    });
  });
});

it('is nothing but a part of what it is derived from: no job, no row, no event', async () => {
  const { buildId, deploymentId } = await uploadBundle(app);
  for (const id of [buildId, deploymentId ?? '']) {
    for (const response of [
      await app.api.get(`/v1/jobs/${id}`),
      await app.api.get(`/v1/jobs/${id}/logs`),
      await app.api.patch(`/v1/jobs/${id}`, { status: 'canceled' }),
      await app.api.post(`/v1/jobs/${id}/failure-summary`),
    ]) {
      expectError(response, 404, 'job_not_found');
      expect(response.body).toMatchObject({ message: 'Job not found.' });
    }
  }
  const list = await app.api.get(`/v1/jobs?organizationId=${app.tenant.organizationId}`);
  expect([list.body, list.headers['x-total-count']]).toEqual([[], '0']);
  const { databaseUrl } = testEnvironment();
  expect(await query(databaseUrl, 'SELECT id FROM jobs WHERE app_id = $1', [app.id])).toEqual([]);
  await shown('builds', buildId);
  expect(await auditEvents(app.tenant, 'objectType=job')).toEqual([]);
});
