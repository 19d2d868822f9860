import { v7 as uuid } from 'uuid';
import { hashToken } from '../../../src/common/access/api-token.js';
import { generateRunnerToken } from '../../../src/jobs/runners/runner-token.js';
import { createApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { createRunner, queueJobs, TestRunner } from '../../builders/runner.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { Api } from '../../support/http/api.js';
import { expectCreated } from '../../support/http/expect-created.js';

interface Issued {
  readonly id: string;
  readonly token: string;
}

/** Other tests have runners for all organizations. */
const ownOf = ({ body }: { body: unknown }): unknown[] =>
  (body as { shared: boolean }[]).filter(({ shared }) => !shared);

it('shows the token of a runner once, and stores only its hash', async () => {
  const { owner, organizationId } = await createTenant();
  const path = `/v1/organizations/${organizationId}/runners`;
  const created = await owner.api.post(path, { name: 'Mac', labels: ['large', 'large'], platforms: ['ios'] });
  expect(created.status).toBe(201);
  expect(created.headers['cache-control']).toBe('no-store');
  const { id, token } = created.body as Issued;
  expect(token).toMatch(/^slr_[0-9a-f]{48}$/);
  const shown = await owner.api.get(`${path}/${id}`);
  expect(shown.body).toMatchObject({
    name: 'Mac',
    labels: ['large'],
    platforms: ['ios'],
    appIds: null,
    paused: false,
    online: false,
    lastSeenAt: null,
    lastFour: token.slice(-4),
    jobIds: [],
    createdBy: owner.userId,
  });
  expect(shown.text).not.toContain(token);
  expect(ownOf(await owner.api.get(path))).toEqual([shown.body]);
  const { databaseUrl } = testEnvironment();
  const audit = await query(databaseUrl, 'SELECT after::text FROM audit_events WHERE object_id = $1', [id]);
  expect(audit).toHaveLength(1);
  expect(JSON.stringify(audit)).toContain('***');
});

it('rotates a token, with the old one valid for a while, and ends both with the runner', async () => {
  const tenant = await createTenant();
  const { owner, organizationId } = tenant;
  const runner = await createRunner(tenant);
  const path = `/v1/organizations/${organizationId}/runners/${runner.id}`;
  const { body } = await owner.api.post(`${path}/rotate`, { overlapSeconds: 60 });
  const rotated = new TestRunner(runner.id, new Api(owner.api.origin, (body as Issued).token));
  expect([(await runner.open()).status, (await rotated.open()).status]).toEqual([201, 201]);
  await owner.api.post(`${path}/rotate`, {});
  expect([(await runner.open()).status, (await rotated.open()).status]).toEqual([401, 401]);
});

it('refuses a token that has expired, and puts jobs back when a runner is deleted', async () => {
  const app = await createApp();
  const { owner, organizationId } = app.tenant;
  const [jobId] = await queueJobs(app);
  const runner = await createRunner(app.tenant);
  expect((await runner.claim()).status).toBe(200);
  const { databaseUrl } = testEnvironment();
  await query(databaseUrl, `UPDATE runners SET expires_at = now() - interval '1 second' WHERE id = $1`, [
    runner.id,
  ]);
  expect((await runner.open()).status).toBe(401);
  expect((await owner.api.delete(`/v1/organizations/${organizationId}/runners/${runner.id}`)).status).toBe(
    204,
  );
  expect(await query(databaseUrl, 'SELECT status FROM jobs WHERE id = $1', [jobId])).toEqual([
    { status: 'queued' },
  ]);
});

it('can be limited to apps of the organization only', async () => {
  const [app, foreign] = [await createApp(), await createApp()];
  const { owner, organizationId } = app.tenant;
  const path = `/v1/organizations/${organizationId}/runners`;
  const refused = await owner.api.post(path, { name: 'Mac', appIds: [foreign.id] });
  expect([refused.status, refused.body]).toEqual([404, expect.objectContaining({ code: 'app_not_found' })]);
  expect((await owner.api.post(path, { name: 'Mac', appIds: [app.id.toUpperCase()] })).body).toMatchObject({
    appIds: [app.id],
  });
});

describe('a shared runner', () => {
  const { databaseUrl, origin } = testEnvironment();
  /** Registers it as `slipway runner:create` does. */
  async function createShared(): Promise<TestRunner> {
    const [id, token] = [uuid(), generateRunnerToken()];
    await query(
      databaseUrl,
      `INSERT INTO runners (id, name, hash, last_four, labels) VALUES ($1, $2, $3, $4, '{secret-label}')`,
      [id, `Shared ${id}`, hashToken(token), token.slice(-4)],
    );
    const runner = new TestRunner(id, new Api(origin, token));
    // No job of other tests fits it.
    const report = { name: 'secret-machine', platforms: ['ios'], stacks: ['secret-stack'] };
    expect((await runner.open(report)).status).toBe(201);
    return runner;
  }

  it('is shown to every organization, by its name and state only', async () => {
    const [app, other] = [await createApp(), await createApp()];
    const runner = await createShared();
    const [jobId] = await queueJobs(app, 1, { platform: 'ios', stack: 'secret-stack' });
    expect((await runner.claim()).body).toMatchObject({ job: { id: jobId } });
    for (const { owner, organizationId } of [app.tenant, other.tenant]) {
      const path = `/v1/organizations/${organizationId}/runners`;
      const { body, text } = await owner.api.get(`${path}/${runner.id}`);
      expect(body).toMatchObject({
        name: `Shared ${runner.id}`,
        shared: true,
        organizationId: null,
        online: true,
        paused: false,
        lastSeenAt: expect.any(String) as string,
        jobIds: [],
        lastFour: null,
      });
      expect(text).not.toMatch(/secret|1\.0\.0|x64/);
      expect(text).not.toContain(jobId);
      // Other tests have shared runners, too. They are older, and come first.
      const total = Number((await owner.api.get(path)).headers['x-total-count']);
      const listed = await owner.api.get(`${path}?limit=100&offset=${Math.max(0, total - 100)}`);
      expect(listed.body).toContainEqual(body);
    }
  });

  it('comes after the runners of the organization itself', async () => {
    await createShared();
    const { owner, organizationId } = await createTenant();
    const path = `/v1/organizations/${organizationId}/runners`;
    expectCreated(await owner.api.post(path, { name: 'Mac' }));
    const { body } = await owner.api.get(`${path}?limit=2`);
    expect(body).toMatchObject([
      { name: 'Mac', shared: false, organizationId },
      { shared: true, organizationId: null },
    ]);
  });

  it('cannot be changed, rotated or deleted by an organization', async () => {
    const runner = await createShared();
    const { owner, organizationId } = await createTenant();
    const path = `/v1/organizations/${organizationId}/runners/${runner.id}`;
    const responses = [
      await owner.api.patch(path, { name: 'Mine' }),
      await owner.api.post(`${path}/rotate`, {}),
      await owner.api.delete(path),
    ];
    expect(responses.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect((await owner.api.get(path)).body).toMatchObject({ name: `Shared ${runner.id}` });
    expect((await runner.open()).status).toBe(201);
  });
});
