import { createApp, type TestApp } from '../../builders/app.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment, makePending } from '../../builders/deployment.js';
import { createEnvironment } from '../../builders/environment.js';
import { createMember } from '../../builders/identities.js';
import { passStep, putPlan } from '../../builders/rollout-plan.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { auditEvents } from '../../support/organizations/audit-log.js';
import { uniqueName } from '../../support/unique-name.js';

let app: TestApp;

beforeEach(async () => {
  app = await createApp();
});

/** What `If-Match` compares: the tag without the hash of the response. */
async function versionOf(path: string): Promise<string> {
  const { status, headers } = await app.api.get(path);
  expect(status).toBe(200);
  const [, version = ''] = /^"([\w-]{36}\.\d+)\.[\w-]{27}"$/.exec(headers['etag'] ?? '') ?? [];
  expect(version).not.toBe('');
  return version;
}

/** Each step must raise the version. */
async function expectRaised(
  path: string,
  steps: Readonly<Record<string, () => Promise<unknown>>>,
): Promise<void> {
  for (const [name, step] of Object.entries(steps)) {
    const before = await versionOf(path);
    await step();
    const raised = (await versionOf(path)) !== before;
    expect({ name, raised }).toEqual({ name, raised: true });
  }
}

async function succeed(request: ReturnType<TestApp['api']['get']>): Promise<void> {
  const response = await request;
  if (response.status >= 300) throw new Error(response.text);
}

describe('the version of an object is raised', () => {
  it('when a channel is changed, paused, resumed and frozen', async () => {
    const path = `${app.path}/channels/${app.defaultChannelId}`;
    const window = { from: '2099-01-01T00:00:00.000Z', to: '2099-01-02T00:00:00.000Z' };
    await expectRaised(path, {
      change: () => succeed(app.api.patch(path, { rollbackLimit: 3 })),
      pause: () => succeed(app.api.post(`${path}/pause`)),
      resume: () => succeed(app.api.post(`${path}/resume`)),
      freeze: () => succeed(app.api.patch(path, { freezeWindows: [window] })),
    });
  });

  it('when a deployment is approved or rejected', async () => {
    const author = await createMember(app.tenant, 'member');
    for (const decision of ['approvals', 'reject']) {
      const { id } = await createDeployment(app);
      await makePending(app, id, author.userId);
      const path = `${app.path}/deployments/${id}`;
      await expectRaised(path, {
        [decision]: () => succeed(app.api.post(`${path}/${decision}`, {})),
      });
    }
  });

  it('when a rollout plan starts, takes a step by itself and is aborted', async () => {
    const { id } = await createDeployment(app, { rolloutPercentage: 0.1 });
    const path = `${app.path}/deployments/${id}`;
    await expectRaised(path, {
      start: () => putPlan(app, id, {}, 'start'),
      step: async () => {
        await passStep(id);
        await eventually(async () =>
          expect((await app.api.get(path)).body).toMatchObject({ rolloutPercentage: 0.5 }),
        );
      },
      abort: () => succeed(app.api.post(`${path}/rollout-plan/abort`)),
    });
  });

  it('when an app is changed, also by what is deleted or transferred', async () => {
    const channel = await createChannel(app);
    const environment = await createEnvironment(app);
    const other = expectCreated<{ id: string }>(
      await app.api.post('/v1/organizations', { name: uniqueName('organization') }),
    );
    await expectRaised(app.path, {
      'next build number': () => succeed(app.api.patch(app.path, { nextAppBuildNumber: 7 })),
      'default channel': () => succeed(app.api.patch(app.path, { appChannelId: channel.id })),
      'deleted channel': () => succeed(app.api.delete(`${app.path}/channels/${channel.id}`)),
      'default environment': () => succeed(app.api.patch(app.path, { appEnvironmentId: environment.id })),
      'deleted environment': () => succeed(app.api.delete(environment.path)),
      transfer: () => succeed(app.api.post(`${app.path}/transfer`, { organizationId: other.id })),
    });
  });

  it('when an operator changes it with SQL', async () => {
    await expectRaised(app.path, {
      sql: () =>
        query(testEnvironment().databaseUrl, `UPDATE apps SET name = 'Renamed' WHERE id = $1`, [app.id]),
    });
  });
});

it('is in no response and in no audit event', async () => {
  const channel = await createChannel(app);
  const path = `${app.path}/channels/${channel.id}`;
  await succeed(app.api.patch(path, { rollbackLimit: 3 }));
  await createDeployment(app, { appChannelId: channel.id });
  await succeed(app.api.patch(app.path, { name: 'Renamed' }));
  await succeed(app.api.delete(path));
  for (const list of [app.path, `${app.path}/channels`, `${app.path}/deployments`]) {
    expect((await app.api.get(list)).text).not.toContain('"version"');
  }
  const events = await auditEvents(app.tenant);
  const objects = events.filter(({ object }) => ['app', 'channel', 'deployment'].includes(object.type));
  expect(objects.length).toBeGreaterThan(4);
  expect(objects.filter((event) => JSON.stringify(event).includes('"version"'))).toEqual([]);
});
