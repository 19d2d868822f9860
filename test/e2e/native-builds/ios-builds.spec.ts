import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant } from '../../builders/identities.js';
import { createRunner, type TestRunner } from '../../builders/runner.js';
import { expectError } from '../../support/http/expect-error.js';
import { uploadSource } from '../../support/native-builds/sources.js';
import { OwnSite } from '../../support/servers/own-site.js';

let site: OwnSite;
let app: TestApp;
let source: string;

beforeAll(async () => {
  site = await OwnSite.start();
});
beforeEach(async () => {
  app = await createApp(await createTenant(site));
  source = await uploadSource(app);
});
afterAll(() => site.dispose());

const post = (values: object = {}): Promise<Response> =>
  app.api.post(`${app.path}/builds`, { platform: 'ios', appBuildSourceId: source, ...values });

const mac = (values: object = {}): Promise<TestRunner> =>
  createRunner(app.tenant, values, { platforms: ['ios'], stacks: ['macos-tahoe'] });

/** Nothing is created. */
async function expectRefused(response: Response, message: string): Promise<void> {
  expectError(response, 400, 'runner_missing');
  expect(response.body).toMatchObject({ message });
  expect((await app.api.get(`${app.path}/builds`)).body).toEqual([]);
  const jobs = await app.api.get(`/v1/jobs?organizationId=${app.tenant.organizationId}`);
  expect(jobs.body).toEqual([]);
}

describe('an iOS build that no registered runner can do', () => {
  it('is refused without any runner', async () => {
    await expectRefused(await post(), 'No runner is registered for this app.');
  });

  it('is refused with a runner of another platform', async () => {
    await createRunner(app.tenant);
    await expectRefused(await post(), 'No runner builds for the platform ios.');
  });

  it('is refused with another stack: that of the request, else that of the app, else macos-tahoe', async () => {
    await createRunner(app.tenant, {}, { platforms: ['ios'], stacks: ['macos-mojave'] });
    await expectRefused(await post(), 'No runner for ios has the stack macos-tahoe.');
    await expectRefused(
      await post({ stack: 'macos-golden-gate' }),
      'No runner for ios has the stack macos-golden-gate.',
    );
    expect((await app.api.patch(app.path, { buildStack: 'macos-sequoia' })).status).toBe(200);
    await expectRefused(await post(), 'No runner for ios has the stack macos-sequoia.');
    expect((await post({ stack: 'macos-mojave' })).status).toBe(201);
  });

  it('is refused without the labels of the app', async () => {
    await app.api.patch(app.path, { runnerLabels: ['gpu', 'large'] });
    await mac({ labels: ['large'] });
    await expectRefused(await post(), 'No runner for ios has the label gpu.');
    await mac({ labels: ['large', 'gpu'] });
    expect((await post()).status).toBe(201);
  });

  it('is refused with runners of other apps and organizations, expired ones, and those that never reported', async () => {
    const other = await createApp(app.tenant);
    await mac({ appIds: [other.id] });
    await createRunner(await createTenant(site), {}, { platforms: ['ios'], stacks: ['macos-tahoe'] });
    await createRunner(app.tenant, {}, null);
    const expired = await mac();
    await site.query(`UPDATE runners SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      expired.id,
    ]);
    await expectRefused(await post(), 'No runner is registered for this app.');
  });
});

describe('an iOS build that a registered runner can do', () => {
  it('is queued, whether the runner is in contact or not', async () => {
    const { sessionId, api, id } = await mac();
    expect((await post()).status).toBe(201);
    await app.api.patch(`/v1/organizations/${app.tenant.organizationId}/runners/${id}`, { paused: true });
    expect((await post()).status).toBe(201);
    expect((await api.delete(`/v1/runner/sessions/${sessionId}`)).status).toBe(204);
    await site.query(`UPDATE runner_sessions SET last_seen_at = now() - interval '1 year'`);
    expect((await post()).status).toBe(201);
  });

  it('is queued for a runner of all organizations', async () => {
    const { id } = await createRunner(
      await createTenant(site),
      {},
      { platforms: ['ios'], stacks: ['macos-tahoe'] },
    );
    await site.query('UPDATE runners SET organization_id = NULL WHERE id = $1', [id]);
    expect((await post()).status).toBe(201);
    await site.query('DELETE FROM runners WHERE id = $1', [id]);
  });
});

it('does not ask for a runner of other platforms, which may come later', async () => {
  for (const platform of ['web', 'android']) expect((await post({ platform })).status).toBe(201);
});
