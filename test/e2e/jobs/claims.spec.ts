import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { request } from 'node:http';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { type Claimed, createRunner, queueJobs, type TestRunner } from '../../builders/runner.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { OwnSite } from '../../support/servers/own-site.js';

const { databaseUrl } = testEnvironment();

async function statusOf(jobId: string): Promise<string | undefined> {
  const [row] = await query<{ status: string }>(databaseUrl, 'SELECT status FROM jobs WHERE id = $1', [
    jobId,
  ]);
  return row?.status;
}

async function claimed(runner: TestRunner, claimId?: string): Promise<Claimed> {
  const response = await runner.claim(claimId);
  expect(response.status).toBe(200);
  return response.body as Claimed;
}

/** Claims of one runner, one after the other: the order in which it gets jobs. */
async function claimAll(runner: TestRunner, count: number): Promise<string[]> {
  const ids: string[] = [];
  while (ids.length < count) ids.push((await claimed(runner)).job.id);
  return ids;
}

/** A claim as a process sends it, which can end in the middle. */
function rawClaim(runner: TestRunner, claimId: string) {
  const sent = request(`${runner.api.origin}/v1/runner/claims`, {
    method: 'POST',
    headers: { authorization: `Bearer ${runner.api.token}`, 'content-type': 'application/json' },
  });
  sent.on('error', () => undefined);
  sent.end(JSON.stringify({ sessionId: runner.sessionId, claimId }));
  return sent;
}

describe('a claim', () => {
  let app: TestApp;

  beforeEach(async () => {
    app = await createApp();
  });

  it('gets a job that was queued before, with a token and a lease', async () => {
    const [jobId = ''] = await queueJobs(app);
    const runner = await createRunner(app.tenant);
    const { job, jobToken, lease } = await claimed(runner);
    expect(job).toEqual({
      id: jobId,
      kind: 'build',
      platform: 'web',
      stack: 'macos-tahoe',
      attempt: 1,
      appId: app.id,
      organizationId: app.tenant.organizationId,
      timeoutSeconds: 3600,
      idleSeconds: 1200,
    });
    expect(jobToken).toMatch(/^slj_/);
    expect(lease.seconds).toBe(60);
    expect(await statusOf(jobId)).toBe('pending');
  });

  it('waits for a job that is queued later', async () => {
    const runner = await createRunner(app.tenant);
    const waiting = claimed(runner);
    const [jobId] = await queueJobs(app);
    expect((await waiting).job.id).toBe(jobId);
  });

  it('gets the same job and token again with the same id, and another job with another', async () => {
    const jobs = await queueJobs(app, 2);
    const runner = await createRunner(app.tenant);
    const claimId = randomUUID();
    const first = await claimed(runner, claimId);
    const again = await claimed(runner, claimId.toUpperCase());
    expect(again).toEqual({ ...first, lease: expect.anything() as object });
    expect((await claimed(runner)).job.id).toBe(jobs[1]);
  });

  it('takes nothing when its client leaves', async () => {
    const runner = await createRunner(app.tenant);
    const leaving = rawClaim(runner, randomUUID());
    await once(leaving, 'finish');
    const { status } = await createRunner(app.tenant).then((other) => {
      leaving.destroy();
      return queueJobs(app).then(() => other.claim());
    });
    expect(status).toBe(200);
  });

  it('gives a job back whose response never arrived', async () => {
    const runner = await createRunner(app.tenant);
    const leaving = rawClaim(runner, randomUUID());
    await once(leaving, 'finish');
    const queued = queueJobs(app);
    leaving.destroy();
    const [jobId] = await queued;
    expect((await claimed(await createRunner(app.tenant))).job.id).toBe(jobId);
  });

  it('is refused in a session that another one has ended', async () => {
    const runner = await createRunner(app.tenant);
    const former = runner.sessionId;
    const waiting = runner.claim();
    await eventually(async () => {
      expect((await runner.open()).status).toBe(201);
      expect((await waiting).status).toBe(409);
    });
    const refused = await runner.claim(randomUUID(), former);
    expect([refused.status, refused.body]).toEqual([409, expect.objectContaining({ code: 'session_ended' })]);
  });

  it('serves apps in turn, and of each the oldest job first', async () => {
    const blog = await createApp(app.tenant);
    const shopJobs = await queueJobs(app, 3);
    const blogJobs = await queueJobs(blog, 2);
    const order = await claimAll(await createRunner(app.tenant), 5);
    expect(order.filter((id) => shopJobs.includes(id))).toEqual(shopJobs);
    expect(order.filter((id) => blogJobs.includes(id))).toEqual(blogJobs);
    const apps = order.map((id) => (shopJobs.includes(id) ? 'shop' : 'blog'));
    expect(apps[0]).not.toBe(apps[1]);
    expect(apps[2]).not.toBe(apps[3]);
  });

  it('prefers builds of people to those of automations for ten minutes', async () => {
    const [young] = await queueJobs(app, 1, { is_automated: true });
    const [old] = await queueJobs(app, 1, { is_automated: true });
    await query(databaseUrl, `UPDATE jobs SET created_at = now() - interval '11 minutes' WHERE id = $1`, [
      old,
    ]);
    const [byPerson] = await queueJobs(app);
    expect(await claimAll(await createRunner(app.tenant), 3)).toEqual([old, byPerson, young]);
  });

  it('gets only jobs that fit: platform, stack of iOS, labels, apps, organization; and none that is held', async () => {
    const other = await createApp(app.tenant);
    const foreign = await createApp(await createTenant());
    await queueJobs(app, 1, { platform: 'android' });
    await queueJobs(app, 1, { platform: 'ios', stack: 'macos-sequoia' });
    await queueJobs(app, 1, { labels: ['large', 'gpu'] });
    await queueJobs(app, 1, { is_held: true });
    await queueJobs(other);
    await queueJobs(foreign);
    const [hinted] = await queueJobs(app, 1, { stack: 'macos-sequoia' });
    const [labelled] = await queueJobs(app, 1, { labels: ['large', 'fast'] });
    const [ios] = await queueJobs(app, 1, { platform: 'ios', stack: 'macos-tahoe' });
    const runner = await createRunner(
      app.tenant,
      { labels: ['large'], appIds: [app.id] },
      { platforms: ['web', 'ios'], stacks: ['macos-tahoe'], labels: ['fast'] },
    );
    expect(await claimAll(runner, 3)).toEqual([hinted, labelled, ios]);
    const nothing = runner.claim();
    await runner.open();
    expect((await nothing).status).toBe(409);
  });

  it('gets nothing while the runner is paused, and no more jobs than it has slots', async () => {
    const jobs = await queueJobs(app, 2);
    const { owner, organizationId } = app.tenant;
    const runner = await createRunner(app.tenant, { paused: true }, { slots: 1 });
    const path = `/v1/organizations/${organizationId}/runners/${runner.id}`;
    const waiting = runner.claim();
    await owner.api.patch(path, { paused: false });
    expect((await waiting).status).toBe(200);
    const second = runner.claim();
    expect(await statusOf(jobs[1] ?? '')).toBe('queued');
    expect((await owner.api.get(path)).body).toMatchObject({
      online: true,
      jobIds: [jobs[0]],
      version: '1.0.0',
    });
    await query(databaseUrl, `DELETE FROM job_leases WHERE runner_id = $1`, [runner.id]);
    await query(databaseUrl, `UPDATE jobs SET status = 'queued' WHERE id = $1`, [jobs[0]]);
    expect((await second).status).toBe(200);
  });

  it('keeps the limits of the app and the organization, and goes on when a job ends', async () => {
    const blog = await createApp(app.tenant);
    const shopJobs = await queueJobs(app, 3);
    const blogJobs = await queueJobs(blog, 3);
    await query(databaseUrl, 'INSERT INTO job_queue_apps (app_id, running_limit) VALUES ($1, 1)', [app.id]);
    const { organizationId } = app.tenant;
    await query(databaseUrl, 'INSERT INTO job_queues (organization_id, running_limit) VALUES ($1, 3)', [
      organizationId,
    ]);
    const runner = await createRunner(app.tenant);
    const first = await claimAll(runner, 3);
    expect(first.filter((id) => shopJobs.includes(id))).toEqual(shopJobs.slice(0, 1));
    expect(first.filter((id) => blogJobs.includes(id))).toEqual(blogJobs.slice(0, 2));
    const waiting = claimed(runner);
    const end = `UPDATE jobs SET status = 'canceled', canceled_at = now(), finished_at = now() WHERE id = $1`;
    await query(databaseUrl, end, [shopJobs[0]]);
    expect(shopJobs[1]).toBe((await waiting).job.id);
  });
});

describe('a session', () => {
  it('puts what it has not started back when it ends, and when another one begins', async () => {
    const app = await createApp();
    const [jobId = ''] = await queueJobs(app);
    const runner = await createRunner(app.tenant);
    await claimed(runner);
    const end = () => runner.api.delete(`/v1/runner/sessions/${runner.sessionId}`);
    expect((await end()).status).toBe(204);
    expect(await statusOf(jobId)).toBe('queued');
    expect((await end()).status).toBe(204);
    await runner.open();
    expect((await claimed(runner)).job.attempt).toBe(1);
    await runner.open();
    expect(await statusOf(jobId)).toBe('queued');
  });

  it('is ended by its own runner only', async () => {
    const app = await createApp();
    const [runner, other] = [await createRunner(app.tenant), await createRunner(app.tenant)];
    const waiting = runner.claim();
    expect((await other.api.delete(`/v1/runner/sessions/${runner.sessionId}`)).status).toBe(204);
    const [first = ''] = await queueJobs(app);
    const response = await waiting;
    expect([response.status, (response.body as Claimed).job.id]).toEqual([200, first]);
    // Nor does it give back what the other has not started, or take it with the same id of the claim.
    const claimId = randomUUID();
    const [second] = await queueJobs(app);
    expect((await claimed(runner, claimId)).job.id).toBe(second);
    await other.api.delete(`/v1/runner/sessions/${runner.sessionId}`);
    expect(await statusOf(second!)).toBe('pending');
    const [third] = await queueJobs(app);
    expect((await claimed(other, claimId)).job.id).toBe(third);
    expect((await other.claim(claimId, runner.sessionId)).status).toBe(409);
  });

  it('does not renew what a former one of the runner works on', async () => {
    const app = await createApp();
    const [jobId = ''] = await queueJobs(app);
    const runner = await createRunner(app.tenant);
    const claimId = randomUUID();
    await claimed(runner, claimId);
    await query(
      databaseUrl,
      `UPDATE jobs SET status = 'in_progress', attempts = 1, in_progress_at = now() WHERE id = $1`,
      [jobId],
    );
    const expiry = async (): Promise<unknown> => {
      const sql = 'SELECT expires_at FROM job_leases WHERE job_id = $1';
      const [lease] = await query<{ expires_at: Date }>(databaseUrl, sql, [jobId]);
      return lease?.expires_at;
    };
    const before = await expiry();
    await runner.open();
    const [next] = await queueJobs(app);
    expect((await claimed(runner, claimId)).job.id).toBe(next);
    expect(await expiry()).toEqual(before);
  });

  it('answers the intervals and limits, and refuses reports that make no sense', async () => {
    const app = await createApp();
    const runner = await createRunner(app.tenant, {}, null);
    const { body, status } = await runner.open();
    expect(status).toBe(201);
    expect(body).toMatchObject({
      runnerId: runner.id,
      sandboxRequired: false,
      claimSeconds: 20,
      leaseSeconds: 60,
      beatSeconds: 10,
      maxLogChunkBytes: 65_536,
      maxLogBytes: 4_000_000,
      logSeconds: 1,
    });
    for (const report of [
      { slots: 17 },
      { platforms: [] },
      { platforms: ['dos'] },
      { labels: ['a b'] },
      { os: '' },
    ]) {
      expect((await runner.open(report)).status).toBe(400);
    }
  });
});

it('goes by labels of the registration alone where those that runners report do not count', async () => {
  const site = await OwnSite.start({ RUNNER_REPORTED_LABELS: 'false' });
  const app = await createApp(await createTenant(site));
  await queueJobs(app, 1, { labels: ['production'] }, site);
  const [plain] = await queueJobs(app, 1, {}, site);
  const claims = await createRunner(app.tenant, {}, { labels: ['production'] });
  expect((await claimed(claims)).job.id).toBe(plain);
  const [second] = await queueJobs(app, 1, { labels: ['production', 'large'] }, site);
  const registered = await createRunner(app.tenant, { labels: ['production', 'large'] });
  expect(await claimAll(registered, 2)).toContain(second);
  await site.dispose();
});
