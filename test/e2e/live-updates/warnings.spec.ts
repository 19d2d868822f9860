import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createApp, type TestApp } from '../../builders/app.js';
import { createBundle, registerBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment, makePending } from '../../builders/deployment.js';
import { createDevice } from '../../builders/device.js';
import { createMember } from '../../builders/identities.js';
import { publishZip, uploadBundle } from '../../builders/publication.js';
import { putPlan } from '../../builders/rollout-plan.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { rollBack } from '../../support/devices/rollbacks.js';
import { eventually } from '../../support/eventually.js';
import { expectError } from '../../support/http/expect-error.js';
import { publish, uploadFiles } from '../../support/live-updates/uploads.js';

const { databaseUrl } = testEnvironment();

interface Warned {
  readonly code: string;
  readonly message: string;
  readonly count?: number;
  readonly counted?: { readonly devices: number; readonly sampled: boolean };
  readonly remedy?: { readonly operationId: string; readonly parameters: Record<string, unknown> };
}

type Requested = Promise<{ readonly status: number; readonly body: unknown; readonly text: string }>;

let app: TestApp;

beforeEach(async () => {
  app = await createApp();
});

/** The warnings of a request that succeeds. */
async function warnings(request: Requested): Promise<readonly Warned[]> {
  const { status, body, text } = await request;
  if (status >= 300) throw new Error(text);
  return (body as { warnings: readonly Warned[] }).warnings;
}

const codes = async (request: Requested): Promise<string[]> =>
  (await warnings(request)).map(({ code }) => code);

const deploy = (bundle: Pick<TestBundle, 'buildId'>, values: object = {}): Requested =>
  app.api.post(`${app.path}/deployments`, {
    appBuildId: bundle.buildId,
    appChannelId: app.defaultChannelId,
    ...values,
  });
const share = (id: string | null, rolloutPercentage: number): Requested =>
  app.api.patch(`${app.path}/deployments/${id}`, { rolloutPercentage });
const register = (values: object): Requested =>
  app.api.post(`${app.path}/bundles`, {
    artifactType: 'zip',
    url: 'https://cdn.example.com/bundle.zip',
    checksum: randomBytes(32).toString('hex'),
    ...values,
  });

/** An iPhone with the app 1.4.0, whose number is 47. */
const iphone = (values: Record<string, string> = {}): Promise<string> =>
  createDevice(app, { platform: '1', appVersionCode: '47', appVersionName: '1.4.0', ...values });

describe('native versions', () => {
  it('that fit no known device are said when a bundle is registered, published, deployed, or its build changed', async () => {
    await iphone();
    await iphone();
    const expected = {
      code: 'constraint_fits_no_device',
      count: 2,
      counted: { devices: 2, sampled: false },
      remedy: { operationId: 'Builds_update' },
    };
    const [registered] = await warnings(register({ maxIosAppVersionCode: '2.0' }));
    expect(registered).toMatchObject(expected);
    expect(registered?.message).toContain('47 is a version code, 1.4.0 a version name');
    const bundle = await createBundle(app, { maxIosAppVersionCode: '2.0' });
    await uploadFiles(bundle, { 'index.html': 'a' });
    expect(await warnings(publish(bundle))).toMatchObject([expected]);
    // Said once: it is ready now.
    expect(await warnings(publish(bundle))).toEqual([]);
    expect(await warnings(deploy(bundle))).toMatchObject([{ code: 'same_content' }, expected]);
    const build = `${app.path}/builds/${bundle.buildId}`;
    expect(await warnings(app.api.patch(build, { maxIosAppVersionCode: '46' }))).toMatchObject([expected]);
    expect(await warnings(app.api.patch(build, { maxIosAppVersionCode: '48' }))).toEqual([]);
    expect(await warnings(app.api.patch(build, { displayName: 'Shop' }))).toEqual([]);
    expect((await app.api.get(build)).body).toMatchObject({ warnings: [], maxIosAppVersionCode: '48' });
  });

  it('that some devices do not have are counted by channel, of those seen within 30 days', async () => {
    const beta = await createChannel(app);
    await iphone();
    await iphone({ appVersionCode: '50' });
    const old = await iphone({ appVersionCode: '50' });
    await iphone({ appVersionCode: '50', channelName: beta.name });
    await query(
      databaseUrl,
      `UPDATE devices SET last_seen_at = now() - interval '31 days' WHERE app_id = $1 AND id = $2`,
      [app.id, old],
    );
    const limit = { maxIosAppVersionCode: '49' };
    const [inDefault] = await warnings(register(limit));
    expect(inDefault).toMatchObject({ code: 'constraint_excludes_devices', count: 1 });
    expect(inDefault?.message).toContain('excludes 1 of 2 iOS devices');
    const [inBeta] = await warnings(register({ ...limit, channelName: beta.name }));
    expect(inBeta).toMatchObject({ code: 'constraint_fits_no_device', count: 1 });
  });

  it('that are version names are said, although they exclude no device', async () => {
    await iphone();
    const [named] = await warnings(register({ minIosAppVersionCode: '1.4.0' }));
    expect(named).toMatchObject({ code: 'native_version_unknown' });
    expect(await codes(register({ minIosAppVersionCode: '47' }))).toEqual([]);
  });

  it('have no warning in an app without devices', async () => {
    const constraints = {
      minIosAppVersionCode: '1',
      maxAndroidAppVersionCode: '2',
      eqElectronAppVersionCode: '3',
    };
    expect(await warnings(register(constraints))).toEqual([]);
  });

  it('are estimated in a large app', async () => {
    await query(
      databaseUrl,
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            channel_id, last_seen_at)
       SELECT $1, 'device-' || n, 1, CASE WHEN n % 5 = 0 THEN '50' ELSE '47' END, '1.4.0', '18', '8.4.3', $2, now()
         FROM generate_series(1, 25000) AS n`,
      [app.id, app.defaultChannelId],
    );
    const [estimated] = await warnings(register({ maxIosAppVersionCode: '49' }));
    const { devices = 0, sampled } = estimated?.counted ?? {};
    expect(sampled).toBe(true);
    // One in 64 of 25,000, of which a fifth are excluded; the ids are the same each time.
    expect(devices).toBeGreaterThan(300);
    expect(devices).toBeLessThan(480);
    expect(estimated?.count).toBeGreaterThan(3000);
    expect(estimated?.count).toBeLessThan(7000);
    expect((estimated?.count ?? 1) % 64).toBe(0);
  });
});

describe('a bundle that devices have rolled back', () => {
  let bundle: TestBundle;
  let blocked: string;

  beforeEach(async () => {
    const bytes = { 'index.html': 'the same' };
    bundle = await publishZip(app, bytes);
    blocked = randomUUID();
    await rollBack(app, blocked, bundle.id);
    await rollBack(app, blocked, bundle.id);
    await createDevice(app);
  });

  const expected = (count: number) => ({
    code: 'bundle_blocked',
    count,
    remedy: { operationId: 'Rollbacks_offerAgain', parameters: { appId: app.id, bundleId: bundle.id } },
  });

  it('is said when it is deployed again, rolled back to, promoted, raised, and its plan starts', async () => {
    expect(await warnings(deploy(bundle))).toMatchObject([expected(1)]);
    await registerBundle(app);
    const [warning] = await warnings(deploy(bundle));
    expect(warning).toMatchObject(expected(1));
    expect(warning?.message).toContain('1 device has rolled');
    const { id } = await createDeployment(app, { appBuildId: bundle.buildId, rolloutPercentage: 0 });
    expect(await codes(share(id, 0.5))).toEqual(['bundle_blocked']);
    expect(await codes(share(id, 0))).toEqual([]);
    await putPlan(app, id);
    const started = app.api.post(`${app.path}/deployments/${id}/rollout-plan/start`);
    expect(await warnings(started)).toMatchObject([expected(1)]);
    // Of another channel, whose devices are not blocked.
    const beta = await createChannel(app);
    expect(await codes(deploy(bundle, { appChannelId: beta.id }))).toEqual([]);
    await createDevice(app, { deviceId: blocked, channelName: beta.name });
    expect(await codes(deploy(bundle, { appChannelId: beta.id }))).toEqual(['bundle_blocked']);
  });

  it('passes under a new id, or after the remedy', async () => {
    const other = randomUUID();
    await rollBack(app, other, bundle.id);
    await rollBack(app, other, bundle.id);
    expect(await warnings(deploy(bundle))).toMatchObject([expected(2)]);
    expect(await codes(register({}))).toEqual([]);
    const again = await publishZip(app, { 'index.html': 'the same' });
    expect(await codes(deploy(again))).toEqual(['same_content']);
    expect((await app.api.delete(`${app.path}/bundles/${bundle.id}/blocked-devices`)).status).toBe(204);
    await eventually(async () => expect(await codes(deploy(bundle))).toEqual(['same_content']));
  });

  it('is said when the channel allows fewer roll-backs', async () => {
    const channel = `${app.path}/channels/${app.defaultChannelId}`;
    expect(await codes(app.api.patch(channel, { rollbackLimit: 5 }))).toEqual([]);
    const [warning] = await warnings(app.api.patch(channel, { rollbackLimit: 2 }));
    expect(warning).toMatchObject(expected(1));
    expect(await codes(app.api.patch(channel, { rollbackLimit: 2 }))).toEqual([]);
  });
});

describe('what a deployment ends', () => {
  it('is said: rollout plans of the channel, and older deployments that wait for approvals', async () => {
    const { id } = await createDeployment(app, { rolloutPercentage: 0 });
    await putPlan(app, id, {}, 'start');
    const [ends, ...others] = await warnings(register({}));
    expect(ends).toMatchObject({ code: 'rollout_plan_ends' });
    expect(ends?.message).toContain(id);
    expect(others).toEqual([]);
    expect(await codes(register({}))).toEqual([]);
    const pending = await createDeployment(app);
    await makePending(app, pending.id, (await createMember(app.tenant, 'member')).userId);
    expect(await codes(register({ rolloutPercentage: 0.5 }))).toEqual([]);
    expect(await warnings(deploy(await registerBundle(app)))).toMatchObject([
      { code: 'same_content' },
      {
        code: 'approval_outdated',
        remedy: { operationId: 'Approvals_reject', parameters: { appId: app.id, deploymentId: pending.id } },
      },
    ]);
  });

  it('is said of the plan of a deployment whose percentage is changed', async () => {
    const { id } = await createDeployment(app, { rolloutPercentage: 0 });
    await putPlan(app, id, {}, 'start', 'hold');
    expect(await codes(share(id, 0.1))).toEqual([]);
    expect(await codes(share(id, 0.2))).toEqual(['rollout_plan_ends']);
    expect(await codes(share(id, 0.3))).toEqual([]);
  });
});

describe('another percentage', () => {
  it('is said to change nothing where something newer goes to all devices', async () => {
    const older = await registerBundle(app);
    const newer = await registerBundle(app);
    const [withoutDevices] = await warnings(share(older.deploymentId, 0.5));
    expect(withoutDevices).toMatchObject({
      code: 'hidden_by_newer',
      count: 0,
      remedy: {
        operationId: 'Deployments_create',
        parameters: { appId: app.id, appBuildId: older.buildId, appChannelId: app.defaultChannelId },
      },
    });
    expect(withoutDevices?.message).toContain(newer.deploymentId);
    await createDevice(app);
    expect(await warnings(share(older.deploymentId, 1))).toMatchObject([
      { code: 'hidden_by_newer', count: 1 },
    ]);
    await share(newer.deploymentId, 0.5);
    expect(await codes(share(older.deploymentId, 0.5))).toEqual([]);
    expect(await codes(share(newer.deploymentId, 0.6))).toEqual([]);
  });

  it('is not where devices do not fit what is newer', async () => {
    const older = await registerBundle(app);
    await registerBundle(app, { minAndroidAppVersionCode: '20' });
    await createDevice(app, { appVersionCode: '19' });
    await createDevice(app, { appVersionCode: '21' });
    expect(await codes(share(older.deploymentId, 0.5))).toEqual([]);
  });
});

describe('a channel', () => {
  it('that is paused or expired is said when something goes there', async () => {
    const bundle = await registerBundle(app);
    const channel = `${app.path}/channels/${app.defaultChannelId}`;
    await app.api.post(`${channel}/pause`);
    expect(await warnings(deploy(bundle))).toMatchObject([
      { code: 'same_content' },
      { code: 'channel_paused', remedy: { operationId: 'Channels_resume' } },
    ]);
    await app.api.post(`${channel}/resume`);
    const expiresAt = new Date(Date.now() - 1000).toISOString();
    expect(await codes(app.api.patch(channel, { expiresAt }))).toEqual([]);
    expect(await codes(deploy(bundle))).toEqual(['same_content', 'channel_expired']);
  });

  it('that loses its devices by a change is said with their number', async () => {
    const { id, name } = await createChannel(app);
    const channel = `${app.path}/channels/${id}`;
    await registerBundle(app, { channelName: name });
    await createDevice(app, { channelName: name });
    await createDevice(app, { channelName: name.toUpperCase() });
    const past = new Date(Date.now() - 1000).toISOString();
    expect(await warnings(app.api.patch(channel, { expiresAt: past }))).toMatchObject([
      { code: 'updates_end', count: 2, counted: { devices: 2, sampled: false } },
    ]);
    expect(await codes(app.api.patch(channel, { expiresAt: null }))).toEqual([]);
    expect(await codes(app.api.patch(channel, { protected: true }))).toEqual(['updates_end']);
    expect(await codes(app.api.patch(channel, { protected: false }))).toEqual([]);
    expect(await codes(app.api.patch(channel, { name: name.toUpperCase() }))).toEqual([]);
    const [renamed] = await warnings(app.api.patch(channel, { name: `${name}-2` }));
    expect(renamed).toMatchObject({ code: 'updates_end', count: 2 });
    expect(renamed?.message).toContain(name.toUpperCase());
    expect((await app.api.get(channel)).body).toMatchObject({ warnings: [] });
  });
});

describe('a forced channel', () => {
  const ask = (ids: readonly string[], more = ''): Requested =>
    app.api.get(`${app.path}/devices/warnings?ids=${ids.join(',')}${more}`);
  const asked = async (ids: readonly string[], more = ''): Promise<readonly Warned[]> => {
    const { status, body, text } = await ask(ids, more);
    if (status !== 200) throw new Error(text);
    return body as readonly Warned[];
  };

  it('is said to be paused, or to have a share below 100 %, before and after devices are forced to it', async () => {
    const { id, name } = await createChannel(app);
    const { deploymentId } = await registerBundle(app, { channelName: name, rolloutPercentage: 0 });
    const ids = [await createDevice(app), await createDevice(app)];
    expect(await asked(ids)).toEqual([]);
    const before = await asked(ids, `&forcedAppChannelId=${id}`);
    expect(before).toMatchObject([
      {
        code: 'channel_share',
        count: 2,
        counted: { devices: 2, sampled: false },
        remedy: { operationId: 'Deployments_update', parameters: { deploymentId, rolloutPercentage: 1 } },
      },
    ]);
    expect(before[0]?.message).toContain('at 0 %, and 2 of 2 devices are outside');
    const force = { forcedAppChannelId: id };
    const one = `${app.path}/devices/${ids[0]}`;
    expect(await warnings(app.api.patch(one, force))).toMatchObject([{ code: 'channel_share', count: 1 }]);
    expect(await warnings(app.api.patch(one, { forcedAppChannelId: null }))).toEqual([]);
    expect((await app.api.patch(`${app.path}/devices?ids=${ids.join(',')}`, force)).status).toBe(204);
    expect(await asked(ids)).toEqual(before);
    await share(deploymentId, 1);
    expect(await asked(ids)).toEqual([]);
    await app.api.post(`${app.path}/channels/${id}/pause`);
    expect(await asked(ids)).toMatchObject([{ code: 'channel_paused' }]);
  });

  it('must exist, and so must the devices', async () => {
    const id = await createDevice(app);
    expectError((await ask([id, 'unknown'])) as never, 404, 'device_not_found');
    expectError((await ask([id], `&forcedAppChannelId=${randomUUID()}`)) as never, 404, 'channel_not_found');
    const elsewhere = await createApp();
    const foreign = `&forcedAppChannelId=${elsewhere.defaultChannelId}`;
    expectError((await ask([id], foreign)) as never, 404, 'channel_not_found');
  });
});

it('has remedies that are operations of the OpenAPI document', async () => {
  const document = readFileSync(join(import.meta.dirname, '../../../openapi.json'), 'utf8');
  await iphone();
  const older = await registerBundle(app, { maxIosAppVersionCode: '2' });
  await registerBundle(app);
  await app.api.post(`${app.path}/channels/${app.defaultChannelId}/pause`);
  const found = [...(await warnings(deploy(older))), ...(await warnings(share(older.deploymentId, 0.5)))];
  expect(found.map(({ code }) => code)).toEqual([
    'channel_paused',
    'constraint_fits_no_device',
    'channel_paused',
    'hidden_by_newer',
  ]);
  for (const { remedy } of found) expect(document).toContain(`"operationId": "${remedy?.operationId}"`);
});

it('has no warnings for a bundle that nothing is wrong with', async () => {
  await createDevice(app);
  const bundle = await uploadBundle(app, { rolloutPercentage: 0.5 });
  expect(await warnings(deploy(bundle))).toEqual([]);
});
