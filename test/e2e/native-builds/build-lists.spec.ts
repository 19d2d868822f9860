import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { createTenant } from '../../builders/identities.js';
import { createPerson } from '../../builders/person.js';
import { createRunner } from '../../builders/runner.js';
import { createToken } from '../../builders/token.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { finishJob, startBuild, takeJob, type TestBuild } from '../../support/native-builds/leases.js';
import { uploadSource } from '../../support/native-builds/sources.js';

interface Listed {
  readonly id: string;
  readonly numberAsString: string;
  readonly starter: { readonly id: string } | null;
  readonly appDeployments: { readonly latest: readonly object[]; readonly total: number };
  readonly missingRunner: string | null;
}

let app: TestApp;
beforeEach(async () => {
  app = await createApp(await createTenant());
});

const list = async (search: string): Promise<Listed[]> => {
  const { status, body } = await app.api.get(`${app.path}/builds?${search}`);
  expect([status, body]).toEqual([200, expect.any(Array)]);
  return body as Listed[];
};
const start = async (values: object = {}): Promise<TestBuild> =>
  startBuild(app, { appBuildSourceId: await uploadSource(app), ...values });

describe('the list of builds', () => {
  it('has who started each build', async () => {
    const { id } = await start();
    await registerBundle(app);
    const { userId, email } = app.tenant.owner;
    const [uploaded, started] = await list('relations=starter');
    expect(started).toMatchObject({ id, starter: { id: userId, email } });
    expect(uploaded).toHaveProperty('starter', null);
    expect((await app.api.get(`${app.path}/builds/${id}?relations=starter`)).body).toMatchObject({
      starter: { id: userId, email },
    });
    expect((await list(''))[0]).not.toHaveProperty('starter');
  });

  it('has the newest deployments of each build, and how many there are', async () => {
    const beta = await createChannel(app, { name: 'beta' });
    const { buildId } = await registerBundle(app);
    await createBundle(app);
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) {
      const values = { appBuildId: buildId, rolloutPercentage: 0.5 };
      ids.push((await createDeployment(app, n === 5 ? { ...values, appChannelId: beta.id } : values)).id);
    }
    const [none, deployed] = await list('relations=appDeployments');
    expect(none?.appDeployments).toEqual({ latest: [], total: 0 });
    expect(deployed?.id).toBe(buildId);
    expect(deployed?.appDeployments).toMatchObject({
      latest: ids
        .toReversed()
        .slice(0, 5)
        .map((id) => ({ id })),
      // The first one was made with the bundle.
      total: 7,
    });
    expect(deployed?.appDeployments.latest[0]).toEqual({
      id: ids[5],
      appChannelId: beta.id,
      appChannelName: 'beta',
      appDestinationId: null,
      appDestinationName: null,
      rolloutPercentage: 0.5,
      approvalStatus: 'approved',
      isSuperseded: false,
      createdAt: expect.any(String) as string,
    });
  });

  it('says which deployments a newer one to all devices of the channel has replaced', async () => {
    const { buildId } = await registerBundle(app);
    const beta = await createChannel(app, { name: 'beta' });
    const channels = [app.defaultChannelId, beta.id];
    const first: string[] = [];
    for (const appChannelId of channels) {
      first.push((await createDeployment(app, { appBuildId: buildId, appChannelId })).id);
    }
    const superseded = async (): Promise<unknown> => {
      const { body } = await app.api.get(`${app.path}/builds/${buildId}?relations=appDeployments`);
      const { latest } = (
        body as unknown as { appDeployments: { latest: { id: string; isSuperseded: boolean }[] } }
      ).appDeployments;
      return first.map((id) => latest.find((each) => each.id === id)?.isSuperseded);
    };
    expect(await superseded()).toEqual([false, false]);
    // It goes to the default channel.
    const newer = await registerBundle(app);
    const { id } = await createDeployment(app, {
      appBuildId: newer.buildId,
      appChannelId: beta.id,
      rolloutPercentage: 0.5,
    });
    expect(await superseded()).toEqual([true, false]);
    expect((await app.api.patch(`${app.path}/deployments/${id}`, { rolloutPercentage: 1 })).status).toBe(200);
    expect(await superseded()).toEqual([true, true]);
  });

  it('shows deployments only to those who may see them', async () => {
    await registerBundle(app);
    const path = `${app.path}/builds`;
    const { api } = await createToken(app.api, { permissions: ['builds:read'] });
    expect((await api.get(`${path}?relations=starter`)).status).toBe(200);
    expectError(await api.get(`${path}?relations=appDeployments`), 403, 'token_limited');
    const [build] = await list('');
    expectError(await api.get(`${path}/${build?.id}?relations=appDeployments`), 403, 'token_limited');
    const stranger = await createPerson();
    expectError(await stranger.api.get(`${path}?relations=appDeployments`), 404);
  });

  it('is filtered by the status of the jobs', async () => {
    await createRunner(app.tenant);
    const queued = await start();
    const running = await start();
    const failed = await start();
    await takeJob(running.jobId);
    await finishJob(await takeJob(failed.jobId), 'failed');
    await createBundle(app);
    await registerBundle(app);
    const numbers = async (search: string): Promise<string[]> =>
      (await list(search)).map(({ numberAsString }) => numberAsString);
    expect(await numbers('status=queued')).toEqual(['1']);
    expect(await numbers('status=in_progress')).toEqual(['2']);
    expect(await numbers('status=failed,queued')).toEqual(['3', '1']);
    // Uploads: one waits for its file.
    expect(await numbers('status=pending')).toEqual(['4']);
    expect(await numbers('status=succeeded')).toEqual(['5']);
    expect(await numbers('status=failed&platform=ios')).toEqual([]);
    expect(await numbers(`status=queued&query=${queued.id}`)).toEqual(['1']);
    expect(await numbers(`status=failed&query=${queued.id}`)).toEqual([]);
    expect(await numbers('status=')).toHaveLength(5);
    expectInvalid(await app.api.get(`${app.path}/builds?status=active`), 'status');
  });

  it('says what no runner has that a waiting build needs', async () => {
    const missing = async ({ id }: TestBuild): Promise<unknown> =>
      ((await app.api.get(`${app.path}/builds/${id}?relations=missingRunner`)).body as Listed).missingRunner;
    const build = await start();
    expect(await missing(build)).toBe('No runner is registered for this app.');
    await createRunner(app.tenant);
    expect(await missing(build)).toBeNull();
    await app.api.patch(app.path, { runnerLabels: ['mac'] });
    const labelled = await start();
    expect(await missing(labelled)).toBe('No runner for web has the label mac.');
    expect((await list('relations=missingRunner')).map(({ missingRunner }) => missingRunner)).toEqual([
      'No runner for web has the label mac.',
      null,
    ]);
    await takeJob(labelled.jobId);
    expect(await missing(labelled)).toBeNull();
  });
});
