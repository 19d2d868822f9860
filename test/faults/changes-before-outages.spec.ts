import { createApp, type TestApp } from '../builders/app.js';
import { createBundle, registerBundle, type TestBundle } from '../builders/bundle.js';
import { createChannel } from '../builders/channel.js';
import { createDeployment } from '../builders/deployment.js';
import { createTenant, type Tenant } from '../builders/identities.js';
import { type TestUpload, uploadBundle } from '../builders/publication.js';
import type { ServerProcess } from '../setup/server.js';
import { rawGet } from '../support/devices/raw-get.js';
import { eventually } from '../support/eventually.js';
import { postFile, publish, uploadFiles } from '../support/live-updates/uploads.js';
import { uploadSource } from '../support/native-builds/sources.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { OwnSite } from '../support/servers/own-site.js';

let proxy: DatabaseProxy;
let site: OwnSite;
let other: ServerProcess;
let tenant: Tenant;

beforeAll(async () => {
  site = await OwnSite.start({}, async (url) => {
    proxy = await DatabaseProxy.start(url);
    return proxy.url;
  });
  other = await OwnSite.beside(site);
  tenant = await createTenant(site);
});
afterAll(async () => {
  await other.kill();
  await site.dispose();
  await proxy.stop().catch(() => undefined);
});

/** An app whose devices get a bundle of the channel `default`, and what a write needs. */
interface Scene {
  readonly app: TestApp;
  readonly served: TestUpload;
  /** Without deployments. */
  readonly channelId: string;
  /** Not published. */
  readonly pending: TestBundle;
}

async function newScene(): Promise<Scene> {
  const app = await createApp(tenant);
  const { id: channelId } = await createChannel(app, { name: 'preview' });
  const pending = await createBundle(app, { channelName: 'preview' });
  await uploadFiles(pending, { 'index.html': '<html>' });
  return { app, served: await uploadBundle(app), channelId, pending };
}

type Write = (scene: Scene) => Promise<{ status: number; text: string }>;

const harmless: Record<string, Write> = {
  'a channel is created': ({ app }) => app.api.post(`${app.path}/channels`, { name: 'Pull request 7' }),
  'a channel without deployments is changed': ({ app, channelId }) =>
    app.api.patch(`${app.path}/channels/${channelId}`, { name: 'other', protected: true }),
  'a channel without deployments is paused': ({ app, channelId }) =>
    app.api.post(`${app.path}/channels/${channelId}/pause`),
  'a channel without deployments is deleted': ({ app, channelId }) =>
    app.api.delete(`${app.path}/channels/${channelId}`),
  'a build is created': async ({ app }) =>
    app.api.post(`${app.path}/builds`, { platform: 'web', appBuildSourceId: await uploadSource(app) }),
  'a build without deployments is changed': ({ app, pending }) =>
    app.api.patch(`${app.path}/builds/${pending.buildId}`, { minAndroidAppVersionCode: '5' }),
  'a bundle is created': ({ app }) => app.api.post(`${app.path}/bundles`, { artifactType: 'zip' }),
  'a file of a bundle is uploaded': ({ pending }) =>
    postFile(pending, 'let a = 1;', { href: 'app.js', mimeType: 'text/javascript' }),
  'a bundle that is not ready is changed': ({ pending }) =>
    pending.api.patch(pending.path, { rolloutPercentage: 0.5 }),
  'a bundle that is not ready is deleted': ({ pending }) => pending.api.delete(pending.path),
};

const changes: Record<string, Write> = {
  'a bundle is published': ({ pending }) => publish(pending),
  'a bundle is registered': ({ app }) =>
    app.api.post(`${app.path}/bundles`, { artifactType: 'zip', url: 'https://cdn.example.com/bundle.zip' }),
  'a bundle that is ready is changed': ({ served }) =>
    served.api.patch(served.path, { expiresAt: '2999-01-01T00:00:00.000Z' }),
  'a bundle that is ready is deleted': ({ served }) => served.api.delete(served.path),
  'a build is deployed': ({ app, served, channelId }) =>
    app.api.post(`${app.path}/deployments`, { appBuildId: served.buildId, appChannelId: channelId }),
  'a share is changed': ({ app, served }) =>
    app.api.patch(`${app.path}/deployments/${served.deploymentId ?? ''}`, { rolloutPercentage: 0 }),
  'a deployed build is changed': ({ app, served }) =>
    app.api.patch(`${app.path}/builds/${served.buildId}`, { minAndroidAppVersionCode: '5' }),
  'a channel is paused': ({ app }) => app.api.post(`${app.path}/channels/${app.defaultChannelId}/pause`),
  'a channel is changed': ({ app }) =>
    app.api.patch(`${app.path}/channels/${app.defaultChannelId}`, { name: 'old' }),
  'a channel is deleted': ({ app }) => app.api.delete(`${app.path}/channels/${app.defaultChannelId}`),
  'another channel is the default': ({ app, channelId }) =>
    app.api.patch(app.path, { appChannelId: channelId }),
  'a channel is forced': ({ app, channelId }) =>
    app.api.patch(`${app.path}/devices/device`, { forcedAppChannelId: channelId }),
  'a channel hides another one': async ({ app }) => {
    await app.api.post(`${app.path}/channels`, { name: 'a+b' });
    return app.api.post(`${app.path}/channels`, { name: 'A b' });
  },
  'the app is deleted': ({ app }) => app.api.delete(app.path),
};

type Outcome = 'served' | 'unavailable';

async function outcomeOf(origin: string, path: string): Promise<Outcome> {
  const { status, body } = await rawGet(origin, path);
  if (status === 200) return 'served';
  expect([status, body.toString()]).toEqual([503, expect.stringContaining('database_unavailable')]);
  return 'unavailable';
}

const checkOf = ({ app }: Scene): string =>
  `${app.path}/bundles/latest?platform=0&pluginVersion=8.4.3&deviceId=device&appVersionCode=1`;

/** What devices get of a server: the check and the download of the bundle that they had before. */
async function outcomesOf({ origin }: { readonly origin: string }, scene: Scene): Promise<Outcome[]> {
  return [await outcomeOf(origin, checkOf(scene)), await outcomeOf(origin, `${scene.served.path}/download`)];
}

/** Until both servers have what devices get in memory, and no notification is on its way. */
async function warm(scenes: readonly Scene[]): Promise<void> {
  await settle();
  for (const scene of scenes)
    for (const server of [site, other]) expect(await outcomesOf(server, scene)).toEqual(['served', 'served']);
}

/** Until both servers have received what was announced before: notifications arrive in order. */
async function settle(): Promise<void> {
  const marker = await createApp(tenant);
  for (const { origin } of [site, other]) {
    await eventually(async () => {
      const answer = await rawGet(origin, `${marker.path}/bundles/latest?platform=0`);
      expect(answer.body.toString()).toContain('no_update');
    });
  }
}

async function outage(during: () => Promise<void>): Promise<void> {
  await proxy.stop();
  try {
    await during();
  } finally {
    await proxy.resume();
    await eventually(async () => {
      for (const { origin } of [site, other])
        expect((await rawGet(origin, '/health/ready?for=writes')).status).toBe(200);
    });
  }
}

async function expectOk(answer: ReturnType<Write>): Promise<void> {
  const { status, text } = await answer;
  if (status >= 300) throw new Error(`${status} ${text}`);
}

it('keeps the releases of apps through an outage that begins after a harmless write, and of no others', async () => {
  const kinds = [...Object.entries(harmless), ...Object.entries(changes)];
  const scenes = await Promise.all(kinds.map(() => newScene()));
  await warm(scenes);
  for (const [index, [, write]] of kinds.entries()) await expectOk(write(scenes[index] as Scene));
  await settle();
  const outcomes: Record<string, Outcome[]> = {};
  await outage(async () => {
    for (const [index, [what]] of kinds.entries()) {
      const scene = scenes[index] as Scene;
      outcomes[what] = [...(await outcomesOf(site, scene)), ...(await outcomesOf(other, scene))];
    }
  });
  const all = (outcome: Outcome): Outcome[] => Array.from({ length: 4 }, () => outcome);
  expect(outcomes).toEqual({
    ...Object.fromEntries(Object.keys(harmless).map((what) => [what, all('served')])),
    ...Object.fromEntries(Object.keys(changes).map((what) => [what, all('unavailable')])),
  });
});

it('does not need its own notification to know what a write has changed', async () => {
  const [harmed, kept, replayed] = await Promise.all([newScene(), newScene(), newScene()]);
  const pause = ({ app }: Scene, origin = site.origin): Promise<Response> =>
    fetch(`${origin}${app.path}/channels/${app.defaultChannelId}/pause`, {
      method: 'POST',
      headers: { authorization: `Bearer ${tenant.owner.token}`, 'idempotency-key': app.id },
    });
  await warm([harmed, kept, replayed]);
  // One server has paused the channel of an app, and the other one knows of it by the repeated request only.
  await site.query(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE application_name = 'slipway-listen' AND datname = current_database()`,
  );
  const statuses = [await pause(harmed), await pause(replayed), await pause(replayed, other.origin)];
  expect(statuses.map(({ status }) => status)).toEqual([204, 204, 204]);
  await createChannel(kept.app);
  await outage(async () => {
    expect(await outcomesOf(site, harmed)).toEqual(['unavailable', 'unavailable']);
    expect(await outcomesOf(other, replayed)).toEqual(['unavailable', 'unavailable']);
    for (const server of [site, other]) expect(await outcomesOf(server, kept)).toEqual(['served', 'served']);
  });
});

it('shows a new channel at once while the database is there, and no update of it while it is not', async () => {
  const scene = await newScene();
  const inChannel = (name: string): Promise<string> =>
    rawGet(site.origin, `${checkOf(scene)}&channelName=${name}`).then(({ body }) => body.toString());
  await warm([scene]);
  expect(await inChannel('known')).toContain('channel_not_found');
  await createChannel(scene.app, { name: 'known' });
  expect(await inChannel('known')).toContain('no_update');
  // What is loaded while a notification arrives is not kept.
  await settle();
  expect(await inChannel('known')).toContain('no_update');
  await createChannel(scene.app, { name: 'late' });
  await outage(async () => {
    expect(await inChannel('known')).toContain('no_update');
    expect(await inChannel('late')).toContain('channel_not_found');
  });
  await eventually(async () => expect(await inChannel('late')).toContain('no_update'));
});

it('loads the releases again after a roll-back was forgiven', async () => {
  const scene = await newScene();
  const { app, served } = scene;
  await registerBundle(app);
  await createDeployment(app, { appBuildId: served.buildId });
  for (let n = 0; n < 2; n++)
    for (const running of [`&bundleId=${served.id}`, '']) {
      await rawGet(site.origin, `${checkOf(scene)}${running}`);
      await app.api.get(`${app.path}/devices/device`);
    }
  const offered = async (): Promise<unknown> =>
    (JSON.parse((await rawGet(site.origin, checkOf(scene))).body.toString()) as { bundleId: string })
      .bundleId;
  expect(await offered()).not.toBe(served.id);
  await expectOk(app.api.delete(`${app.path}/devices/device/blocked-bundles/${served.id}`));
  expect(await offered()).toBe(served.id);
});
