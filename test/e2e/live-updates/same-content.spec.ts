import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { type Published, publishManifest, publishZip } from '../../builders/publication.js';
import { putPlan } from '../../builders/rollout-plan.js';
import { rollBack } from '../../support/devices/rollbacks.js';
import { type Files, zipOf } from '../../support/live-updates/archives.js';
import { postFile, publish } from '../../support/live-updates/uploads.js';

interface Shown {
  readonly id: string;
  readonly appDeploymentId: string | null;
  readonly warnings: readonly { readonly code: string; readonly message: string; readonly remedy?: object }[];
}

let app: TestApp;

beforeEach(async () => {
  app = await createApp();
});

const skipUnchanged = (value = true) => app.api.patch(app.path, { skipUnchanged: value });
const deploy = async (bundle: Pick<TestBundle, 'buildId'>, values: object = {}) => {
  const target = { appBuildId: bundle.buildId, appChannelId: app.defaultChannelId, ...values };
  const { status, body, text } = await app.api.post(`${app.path}/deployments`, target);
  if (status >= 300) throw new Error(text);
  return { status, ...(body as Shown) };
};
const codesOf = ({ warnings }: Shown) => warnings.map(({ code }) => code);
const deployments = async (channelId = app.defaultChannelId) =>
  ((await app.api.get(`${app.path}/deployments?appChannelId=${channelId}`)).body as Shown[]).map(
    ({ id }) => id,
  );

/** Uploads a zip, and publishes it as the CLI does. */
async function send(files: Files | Buffer, values: object = {}): Promise<Shown & TestBundle> {
  const bundle = await createBundle(app, { artifactType: 'zip', ...values });
  const bytes = Buffer.isBuffer(files) ? files : await zipOf(files);
  const file = (await postFile(bundle, bytes, { mimeType: 'application/zip' })).body as { id: string };
  const { status, body, text } = await publish(bundle, { appBundleFileId: file.id });
  if (status !== 200) throw new Error(text);
  return { ...bundle, ...(body as Shown) };
}

const site = { 'index.html': '<html>', 'assets/app.js': 'console.log(1)' };

describe('an app that skips unchanged content', () => {
  let live: Published;

  beforeEach(async () => {
    expect((await skipUnchanged()).body).toMatchObject({ skipUnchanged: true });
    live = await publishZip(app, site);
  });

  const isSkipped = async (response: Promise<Shown & Partial<TestBundle>>) => {
    const { appDeploymentId, warnings } = await response;
    expect(appDeploymentId).toBe(live.deploymentId);
    expect(warnings).toMatchObject([{ code: 'same_content' }]);
    expect(warnings[0]?.message).toContain(live.deploymentId);
    expect(await deployments()).toEqual([live.deploymentId]);
  };
  const isDeployed = async (response: Promise<Shown>, before = 1) => {
    const { appDeploymentId, warnings } = await response;
    expect(warnings.map(({ code }) => code)).not.toContain('same_content');
    expect(await deployments()).toHaveLength(before + 1);
    expect((await deployments())[0]).toBe(appDeploymentId);
  };

  it('gets the deployment that has it, however the zip was packed', async () => {
    const reordered = Object.fromEntries(Object.entries(site).reverse());
    await isSkipped(send(reordered));
    // The new bundle stays undeployed, and a repetition says the same.
    const bundle = await send(site);
    expect((await app.api.get(bundle.path)).body).toMatchObject({
      artifactStatus: 'ready',
      appDeploymentId: null,
    });
    const { body } = await publish(bundle);
    await isSkipped(Promise.resolve(body as Shown));
    // No share of another bundle is changed by way of it.
    await app.api.patch(bundle.path, { rolloutPercentage: 0.1 });
    expect((await app.api.get(`${app.path}/deployments/${live.deploymentId}`)).body).toMatchObject({
      rolloutPercentage: 1,
    });
  });

  it('responses a deployment of such a build with 200, and of another one with 201', async () => {
    const { buildId } = await send(site);
    expect(await deploy({ buildId })).toMatchObject({ status: 200, id: live.deploymentId });
    expect(await deploy(live)).toMatchObject({ status: 200, id: live.deploymentId });
    const beta = await createChannel(app);
    const first = await deploy({ buildId }, { appChannelId: beta.id });
    expect(first).toMatchObject({ status: 201, warnings: [] });
    expect(await deploy(live, { appChannelId: beta.id })).toMatchObject({ status: 200, id: first.id });
  });

  it.each<[string, Files, object]>([
    ['another file', { ...site, 'more.js': '' }, {}],
    ['another content', { ...site, 'assets/app.js': 'console.log(2)' }, {}],
    ['another name', { 'index.html': '<html>', 'assets/App.js': 'console.log(1)' }, {}],
    ['a constraint', site, { minAndroidAppVersionCode: '2' }],
    ['a custom property', site, { customProperties: { key: 'value' } }],
    ['an expiry', site, { expiresAt: new Date(Date.now() + 3_600_000).toISOString() }],
  ])('deploys %s', async (_case, files, values) => {
    await isDeployed(send(files, values));
  });

  it('deploys the same files in another form, or with a signature', async () => {
    const manifest = await publishManifest(app, site);
    expect(await deployments()).toEqual([manifest.deploymentId, live.deploymentId]);
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
    const signed = await publishManifest(app, site, { privateKey });
    expect(await deployments()).toHaveLength(3);
    const again = await publishManifest(app, site, { privateKey });
    expect(again.deploymentId).toBe(signed.deploymentId);
  });

  it('deploys what a newer deployment of other content hides', async () => {
    await send({ 'index.html': randomBytes(20) });
    await isDeployed(send(site), 2);
    expect((await deploy(live)).status).toBe(200);
  });

  it('deploys to more devices, but not to fewer', async () => {
    await app.api.patch(`${app.path}/deployments/${live.deploymentId}`, { rolloutPercentage: 0.5 });
    await isSkipped(send(site, { rolloutPercentage: 0.5 }));
    await isDeployed(send(site, { rolloutPercentage: 0.6 }));
  });

  it('deploys what a device has rolled back: to publish it again is the remedy', async () => {
    await rollBack(app, 'device-1', live.id);
    await isDeployed(send(site));
  });

  it('deploys where the plan of the other stands or was aborted, and not where it runs', async () => {
    await app.api.patch(`${app.path}/deployments/${live.deploymentId}`, { rolloutPercentage: 0 });
    await putPlan(app, live.deploymentId, {}, 'start');
    await isSkipped(send(site, { rolloutPercentage: 0 }));
    expect(
      (await app.api.get(`${app.path}/deployments/${live.deploymentId}/rollout-plan`)).body,
    ).toMatchObject({ state: 'running' });
    await app.api.post(`${app.path}/deployments/${live.deploymentId}/rollout-plan/hold`);
    await isDeployed(send(site, { rolloutPercentage: 0 }));
  });

  it('asks for no approval, nor again for one that is open, and is not refused by a freeze', async () => {
    const channel = `${app.path}/channels/${app.defaultChannelId}`;
    const change = async (values: object) => {
      const { status, text } = await app.api.patch(channel, values);
      if (status !== 200) throw new Error(text);
    };
    await change({ requiredApprovals: 1 });
    await isSkipped(send(site));
    const other = { 'index.html': randomBytes(20) };
    const waiting = await send(other);
    expect(waiting.warnings).toEqual([]);
    const again = await send(other);
    expect(again.appDeploymentId).toBe(waiting.appDeploymentId);
    expect(again.warnings[0]?.message).toContain('which waits for approvals');
    expect(await deployments()).toHaveLength(2);
    // It would not wait any more.
    await change({ requiredApprovals: 0 });
    const live = await send(other);
    expect(live.appDeploymentId).not.toBe(waiting.appDeploymentId);
    const from = new Date(Date.now() - 60_000).toISOString();
    const to = new Date(Date.now() + 3_600_000).toISOString();
    await change({ freezeWindows: [{ from, to }] });
    expect((await send(other)).appDeploymentId).toBe(live.appDeploymentId);
  });

  it('registers the same zip by its checksum, and not without one', async () => {
    const register = (checksum: string | null) =>
      app.api.post(`${app.path}/bundles`, {
        artifactType: 'zip',
        url: `https://cdn.example.com/${randomBytes(4).toString('hex')}.zip`,
        checksum,
      });
    const checksum = randomBytes(32).toString('hex');
    const first = (await register(checksum)).body as Shown;
    const second = (await register(checksum)).body as Shown;
    expect(second.appDeploymentId).toBe(first.appDeploymentId);
    expect(codesOf(second)).toEqual(['same_content']);
    const third = (await register(null)).body as Shown;
    const fourth = (await register(null)).body as Shown;
    expect(new Set([first, third, fourth].map(({ appDeploymentId }) => appDeploymentId)).size).toBe(3);
  });

  it('has one deployment of two publications at once', async () => {
    const other = { 'index.html': randomBytes(20) };
    const responses = await Promise.all([send(other), send(other), send(other)]);
    expect(new Set(responses.map(({ appDeploymentId }) => appDeploymentId)).size).toBe(1);
    expect(await deployments()).toHaveLength(2);
  });
});

describe('another app', () => {
  it('deploys the same content again, and says so with what avoids it', async () => {
    const { deploymentId } = await publishZip(app, site);
    const again = await send(site);
    expect(again.appDeploymentId).not.toBe(deploymentId);
    expect(again.warnings).toMatchObject([
      {
        code: 'same_content',
        remedy: { operationId: 'Apps_update', parameters: { appId: app.id, skipUnchanged: true } },
      },
    ]);
    expect(again.warnings[0]?.message).toContain(deploymentId);
    expect(codesOf(await deploy(again))).toEqual(['same_content']);
  });

  it('refuses a setting that is not a boolean', async () => {
    const { status, text } = await app.api.patch(app.path, { skipUnchanged: 'yes' });
    expect(status).toBe(400);
    expect(text).toContain('skipUnchanged must be true or false.');
  });
});
