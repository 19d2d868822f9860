import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel, type TestChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectCreated } from '../../support/http/expect-created.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { see } from '../../support/live-updates/native-versions.js';
import { reasons } from '../../support/live-updates/retention.js';
import { createDestination, createReleaseBuild } from '../../support/stores/store-builds.js';

interface Warned {
  readonly code: string;
  readonly message: string;
  readonly remedy?: { readonly operationId: string; readonly parameters: Record<string, unknown> };
}

interface Deployed {
  readonly id: string;
  readonly maxAndroidAppVersionCode: string | null;
  readonly maxIosAppVersionCode: string | null;
  readonly maxElectronAppVersionCode: string | null;
  readonly warnings: readonly Warned[];
}

let app: TestApp;
/** Nothing was deployed to it. */
let channel: TestChannel;

beforeEach(async () => {
  app = await createApp();
  channel = await createChannel(app);
});

const post = (values: object) => app.api.post(`${app.path}/deployments`, values);

/** Deploys to the native versions that were seen. */
async function deploySeen(appBuildId: string, values: object = {}): Promise<Deployed> {
  const seen = { appBuildId, appChannelId: channel.id, maxNativeVersion: 'seen', ...values };
  return expectCreated<Deployed>(await post(seen));
}

/** What a device gets from the channel. */
async function offered(appVersionCode: string, platform = '0'): Promise<string | null> {
  const { status, body } = await checkForUpdate(app, { appVersionCode, platform, channelName: channel.name });
  return status === 404 ? null : (body as { bundleId: string }).bundleId;
}

describe('a deployment to the native versions that were seen', () => {
  it('has the highest one of each platform, and a warning where there is none', async () => {
    for (const version of ['9', '47', '46.9.1', 'beta']) await see(app, version);
    await see(app, '2.0.0-rc.1', 2);
    await see(app, '2.0.0-rc.2', 2);
    const { buildId } = await registerBundle(app);
    const deployed = await deploySeen(buildId);
    const maxima = {
      maxAndroidAppVersionCode: '47',
      maxIosAppVersionCode: null,
      maxElectronAppVersionCode: '2.0.0-rc.2',
    };
    expect(deployed).toMatchObject({ ...maxima, warnings: [{ code: 'native_version_unseen' }] });
    expect(deployed.warnings[0]?.message).toContain('No native version of iOS was seen');
    const { body } = await app.api.get(`${app.path}/deployments/${deployed.id}`);
    expect(body).toMatchObject({ ...maxima, warnings: [] });
    // Neither the build nor another deployment of it has them.
    const { body: build } = await app.api.get(`${app.path}/builds/${buildId}`);
    expect(build).toMatchObject({ maxAndroidAppVersionCode: null });
    expect(await post({ appBuildId: buildId, appChannelId: channel.id })).toMatchObject({
      status: 201,
      body: { maxAndroidAppVersionCode: null, maxElectronAppVersionCode: null },
    });
  });

  it('may have a maximum of 200 characters', async () => {
    const long = '9'.repeat(200);
    await see(app, long);
    await see(app, `${long}.1`.slice(1));
    const { id, buildId } = await registerBundle(app);
    expect(await deploySeen(buildId)).toMatchObject({ maxAndroidAppVersionCode: long });
    expect(await offered(long)).toBe(id);
    expect(await offered(`1${'0'.repeat(200)}`)).toBeNull();
  });

  it('is refused without any, and for stores', async () => {
    const { buildId: appBuildId } = await registerBundle(app);
    const values = { appBuildId, appChannelId: channel.id, maxNativeVersion: 'seen' };
    const refused = await post(values);
    expect(expectInvalid(refused, 'maxNativeVersion').message).toContain('two days');
    await see(app, 'beta');
    expectInvalid(await post(values), 'maxNativeVersion');
    await see(app, '47');
    for (const maxNativeVersion of ['47', '', 1, true, ['seen']])
      expectInvalid(await post({ ...values, maxNativeVersion }), 'maxNativeVersion');
    expect((await post({ ...values, maxNativeVersion: null })).status).toBe(201);
    const { id: appDestinationId } = await createDestination(app);
    expectInvalid(await post({ appBuildId, appDestinationId, maxNativeVersion: 'seen' }), 'maxNativeVersion');
    const other = await createTenant();
    expectError(await other.owner.api.post(`${app.path}/deployments`, values), 404);
  });

  it('is not for newer ones: in checks, explanations and simulations', async () => {
    await see(app, '47');
    const { id, buildId } = await registerBundle(app);
    const simulate = async (maxNativeVersion: string | null) => {
      const { status, body, text } = await app.api.post(`${app.path}/simulations`, {
        change: 'deploy',
        appBuildId: buildId,
        appChannelId: app.defaultChannelId,
        maxNativeVersion,
      });
      if (status !== 200) throw new Error(text);
      return (body as { total: { receiving: number; excluded: object[] } }).total;
    };
    await query(
      testEnvironment().databaseUrl,
      `UPDATE devices SET app_version_code = '48'
        WHERE (app_id, id) IN (SELECT app_id, id FROM devices WHERE app_id = $1 LIMIT 2)`,
      [app.id],
    );
    expect(await simulate('seen')).toMatchObject({ receiving: 3, excluded: [{ reason: 'max', devices: 2 }] });
    expect(await simulate(null)).toMatchObject({ receiving: 5 });
    await deploySeen(buildId);
    expect([await offered('46'), await offered('47'), await offered('48')]).toEqual([id, id, null]);
    // On iOS, no version was seen.
    expect(await offered('48', '1')).toBe(id);
    const check = `platform=0&appVersionCode=48&pluginVersion=8.4.3&channelName=${channel.name}`;
    const { body } = await app.api.get(`${app.path}/decision?${check}`);
    const { steps } = body as { steps: readonly { checks?: readonly object[] }[] };
    const checks = steps.flatMap((step) => step.checks ?? []);
    expect(checks).toContainEqual({ check: 'max', passed: false, required: '47', actual: '48' });
  });

  it('has the lower maximum of the two when that of the build changes later', async () => {
    await see(app, '47');
    const { id, buildId } = await registerBundle(app);
    await deploySeen(buildId);
    const limit = async (maxAndroidAppVersionCode: string | null): Promise<void> => {
      const { status } = await app.api.patch(`${app.path}/builds/${buildId}`, { maxAndroidAppVersionCode });
      expect(status).toBe(200);
    };
    await limit('46');
    expect([await offered('46'), await offered('47')]).toEqual([id, null]);
    await limit('50');
    expect([await offered('47'), await offered('48')]).toEqual([id, null]);
    await limit(null);
    expect([await offered('47'), await offered('48')]).toEqual([id, null]);
  });

  it('is not skipped as unchanged by an app, unless the newest one has the same maximum', async () => {
    expect((await app.api.patch(app.path, { skipUnchanged: true })).status).toBe(200);
    await see(app, '47');
    const { buildId: appBuildId } = await registerBundle(app);
    const values = { appBuildId, appChannelId: channel.id };
    const deploy = async (maxNativeVersion: string | null) =>
      (await post({ ...values, maxNativeVersion })).status;
    expect([await deploy(null), await deploy('seen'), await deploy('seen')]).toEqual([201, 201, 200]);
    await see(app, '48');
    expect([await deploy('seen'), await deploy(null), await deploy(null)]).toEqual([201, 201, 200]);
  });

  it('keeps its maximum while it waits for approvals', async () => {
    await see(app, '47');
    const { id, buildId } = await registerBundle(app);
    channel = await createChannel(app, { requiredApprovals: 1 });
    const pending = await deploySeen(buildId);
    await see(app, '48');
    const { api } = await createMember(app.tenant, 'admin');
    const path = `${app.path}/deployments/${pending.id}`;
    expect((await api.post(`${path}/approvals`, {})).status).toBe(200);
    expect((await app.api.get(path)).body).toMatchObject({
      approvalStatus: 'approved',
      maxAndroidAppVersionCode: '47',
    });
    expect([await offered('47'), await offered('48')]).toEqual([id, null]);
  });

  it('excludes devices, which is said as of constraints of builds', async () => {
    await see(app, '47');
    await createDevice(app, { appVersionCode: '48', channelName: channel.name });
    const { buildId } = await registerBundle(app);
    const { warnings } = await deploySeen(buildId);
    expect(warnings.map(({ code }) => code)).toEqual(['native_version_unseen', 'constraint_fits_no_device']);
    expect(warnings[1]?.message).toContain('maxAndroidAppVersionCode 47 excludes 1 of 1');
  });
});

it('retention keeps what an older deployment admits and a newer one does not', async () => {
  await app.api.patch(app.path, { bundleRetentionCount: 1 });
  await see(app, '47');
  const bundles = [];
  for (let i = 0; i < 4; i++) bundles.push(await registerBundle(app, { channelName: 'default' }));
  const [open, first, second, third] = bundles;
  await createDeployment(app, { appBuildId: open?.buildId, appChannelId: channel.id });
  for (const bundle of [first, second, third]) await deploySeen(bundle?.buildId ?? '');
  const deleted = await app.api.delete(`${app.path}/channels/${app.defaultChannelId}`);
  expect([deleted.status, deleted.text]).toEqual([204, '']);
  const kept = await reasons(app);
  expect(bundles.map(({ id }) => kept[id])).toEqual(['delivered', null, 'rollback', 'delivered']);
  await see(app, '48');
  await deploySeen(first?.buildId ?? '');
  // Other maxima are not compared.
  expect((await reasons(app))[third?.id ?? '']).toBe('delivered');
  await createDeployment(app, { appBuildId: second?.buildId, appChannelId: channel.id });
  expect((await reasons(app))[third?.id ?? '']).toBe('rollback');
});

describe('older web code in a newer app', () => {
  const older = (warnings: readonly Warned[]): Warned[] =>
    warnings.filter(({ code }) => code === 'older_web_code');

  it('is said of a deployment above whose maximum an older one begins, unless that one is for newer versions', async () => {
    await see(app, '47');
    const { buildId } = await registerBundle(app);
    const { id } = await createDeployment(app, { appBuildId: buildId, appChannelId: channel.id });
    const [warning, ...others] = older((await deploySeen(buildId)).warnings);
    expect(others).toEqual([]);
    expect(warning?.message).toContain('above Android 47');
    expect(warning?.remedy).toMatchObject({
      operationId: 'Deployments_update',
      parameters: { deploymentId: id },
    });
    await registerBundle(app, { channelName: channel.name, minAndroidAppVersionCode: '48' });
    expect(older((await deploySeen(buildId)).warnings)).toEqual([]);
    await app.api.patch(`${app.path}/deployments/${id}`, { rolloutPercentage: 0 });
    expect(older((await deploySeen(buildId)).warnings)).toEqual([]);
  });

  it('is said when a build is submitted that is newer than what its devices get', async () => {
    const { id: appDestinationId } = await createDestination(app);
    const submit = async (appBuildId: string): Promise<readonly Warned[]> =>
      older(expectCreated<Deployed>(await post({ appBuildId, appDestinationId })).warnings);
    let code = 48;
    const build = (values: Readonly<Record<string, unknown>> = {}): Promise<string> =>
      createReleaseBuild(app, { versionCode: String(code++) }, values);
    const first = await build();
    // Of the bundle whose bytes the files of builds have.
    await query(testEnvironment().databaseUrl, 'DELETE FROM deployments WHERE app_id = $1', [app.id]);
    expect(await submit(first)).toEqual([]);
    const before = await build({ created_at: new Date(Date.now() - 60_000) });
    const { buildId, deploymentId } = await registerBundle(app);
    expect(await submit(before)).toEqual([]);
    const created = expectCreated<Deployed>(await post({ appBuildId: await build(), appDestinationId }));
    const [warning, ...others] = older(created.warnings);
    expect(others).toEqual([]);
    expect(warning?.message).toContain(`get the deployment ${deploymentId} of the channel default`);
    expect(warning?.remedy).toMatchObject({
      operationId: 'Deployments_create',
      parameters: { appChannelId: app.defaultChannelId, maxNativeVersion: 'seen' },
    });
    const path = `${app.path}/builds/${buildId}`;
    await app.api.patch(path, { maxAndroidAppVersionCode: '47' });
    expect(await submit(await build())).toEqual([]);
    await app.api.patch(path, { maxAndroidAppVersionCode: null });
    expect(await submit(await build())).toHaveLength(1);
    await app.api.patch(`${app.path}/deployments/${deploymentId}`, { rolloutPercentage: 0 });
    expect(await submit(await build())).toEqual([]);
  });

  it('is looked for in three channels where the app has no default channel', async () => {
    for (let i = 0; i < 4; i++) await registerBundle(app, { channelName: (await createChannel(app)).name });
    expect((await app.api.patch(app.path, { appChannelId: null })).status).toBe(200);
    const { id: appDestinationId } = await createDestination(app);
    const appBuildId = await createReleaseBuild(app);
    const { warnings } = expectCreated<Deployed>(await post({ appBuildId, appDestinationId }));
    expect(older(warnings)).toHaveLength(3);
  });
});
