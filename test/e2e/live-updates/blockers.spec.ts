import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { createTenant } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { rollBack } from '../../support/devices/rollbacks.js';
import { eventually } from '../../support/eventually.js';
import { expectError } from '../../support/http/expect-error.js';

const { databaseUrl } = testEnvironment();

interface BlockersOfDeployment {
  readonly computedAt: string;
  readonly devices: number;
  readonly running: number;
  readonly evaluatedDevices: number;
  readonly isExact: boolean;
  readonly atNextCheck: number;
  readonly withheld: number;
  readonly blockers: readonly { reason: string; remedy: string | null; devices: number }[];
}

let app: TestApp;
let older: TestBundle;
let bundle: TestBundle;

beforeEach(async () => {
  app = await createApp();
  older = await registerBundle(app);
  bundle = await registerBundle(app, { minAndroidAppVersionCode: '10', rolloutPercentage: 1 });
});

const ask = (id = bundle.deploymentId) => app.api.get(`${app.path}/deployments/${id}/blockers`);
const find = async (id = bundle.deploymentId): Promise<BlockersOfDeployment> => {
  const response = await ask(id);
  expect({ status: response.status, body: response.body as object }).toMatchObject({ status: 200 });
  return response.body as BlockersOfDeployment;
};

describe('what keeps devices from a deployment', () => {
  it('is counted by reason, with the remedy, besides those that run it or get it at the next check', async () => {
    const device = (values: Record<string, string> = {}) => createDevice(app, values);
    await device({ bundleId: bundle.id });
    await device({ bundleId: bundle.id, appVersionCode: '9' });
    await device();
    await device({ bundleId: older.id });
    for (let n = 0; n < 3; n++) await device({ appVersionCode: '9' });
    const elsewhere = await createChannel(app);
    const forced = await device();
    await app.api.patch(`${app.path}/devices/${forced}`, { forcedAppChannelId: elsewhere.id });
    await device({ channelName: elsewhere.name });
    const withheld = randomUUID();
    await rollBack(app, withheld, bundle.id);
    await rollBack(app, withheld, bundle.id);
    const once = randomUUID();
    await rollBack(app, once, bundle.id);
    expect(await find()).toMatchObject({
      devices: 10,
      running: 2,
      evaluatedDevices: 8,
      isExact: true,
      atNextCheck: 3,
      withheld: 1,
      blockers: [
        { reason: 'min', remedy: 'raise-native-version', devices: 3 },
        { reason: 'forced-elsewhere', remedy: 'unforce-channel', devices: 1 },
      ],
    });
    await app.api.post(`${app.path}/channels/${app.defaultChannelId}/pause`);
    expect((await find()).blockers[0]).toEqual({
      reason: 'channel-paused',
      remedy: 'resume-channel',
      devices: 7,
    });
  });

  it('agrees with the checks of the devices', async () => {
    await app.api.patch(`${app.path}/deployments/${bundle.deploymentId}`, { rolloutPercentage: 0.5 });
    const ids: string[] = [];
    for (let n = 0; n < 12; n++) ids.push(await createDevice(app, { deviceId: `d${n}`, bundleId: older.id }));
    for (const id of ids.slice(0, 6)) {
      await rollBack(app, id, bundle.id, { bundleId: older.id });
      await rollBack(app, id, bundle.id, { bundleId: older.id });
      await createDevice(app, { deviceId: id, bundleId: older.id });
    }
    const offered = async (): Promise<number> => {
      const bodies = await Promise.all(
        ids.map(
          async (deviceId) => (await checkForUpdate(app, { deviceId, bundleId: older.id })).body as unknown,
        ),
      );
      return bodies.filter((body) => (body as { bundleId?: string }).bundleId === bundle.id).length;
    };
    const before = await offered();
    const found = await find();
    await app.api.delete(`${bundle.path}/blocked-devices`);
    const without = await eventually(async () => {
      const { withheld } = await find();
      expect(withheld).toBe(0);
      return offered();
    });
    expect(found).toMatchObject({
      devices: 12,
      running: 0,
      atNextCheck: before,
      withheld: without - before,
      blockers: [{ reason: 'rollout', remedy: 'raise-rollout', devices: 12 - without }],
    });
  });

  it('is counted in a sample of many devices', async () => {
    await query(
      databaseUrl,
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            channel_id, last_seen_at)
       SELECT $1, 'device-' || n, 0, CASE WHEN n % 4 = 0 THEN '9' ELSE '10' END, '1.0.0', '34', '8.4.3', $2, now()
         FROM generate_series(1, 101000) AS n`,
      [app.id, app.defaultChannelId],
    );
    const { devices, evaluatedDevices, isExact, atNextCheck, blockers } = await find();
    expect({ devices, isExact }).toEqual({ devices: 101_000, isExact: false });
    expect(evaluatedDevices).toBeGreaterThan(40_000);
    expect(evaluatedDevices).toBeLessThan(60_000);
    expect(blockers).toMatchObject([{ reason: 'min' }]);
    const [{ devices: below } = { devices: 0 }] = blockers;
    expect(atNextCheck + below).toBe(evaluatedDevices);
    expect(below / evaluatedDevices).toBeCloseTo(0.25, 1);
  });

  it('is a newer deployment, approvals that are missing, or nothing', async () => {
    await createDevice(app);
    expect((await find(older.deploymentId)).blockers).toEqual([
      { reason: 'newer-deployment', remedy: null, devices: 1 },
    ]);
    const channel = await createChannel(app, { requiredApprovals: 1 });
    const values = { appBuildId: bundle.buildId, appChannelId: channel.id };
    const { id } = await createDeployment(app, values);
    expect(await find(id)).toMatchObject({
      devices: 0,
      running: 0,
      atNextCheck: 0,
      withheld: 0,
      blockers: [],
    });
    await createDevice(app, { channelName: channel.name });
    expect((await find(id)).blockers).toEqual([
      { reason: 'approved', remedy: 'approve-deployment', devices: 1 },
    ]);
    await app.api.post(`${app.path}/deployments/${id}/reject`, {});
    expectError(await ask(id), 409, 'deployment_not_live');
  });

  it('is not asked of devices that were not seen for 30 days', async () => {
    await createDevice(app, { deviceId: 'old' });
    await createDevice(app);
    await query(
      databaseUrl,
      `UPDATE devices SET last_seen_at = now() - interval '31 days' WHERE app_id = $1 AND id = 'old'`,
      [app.id],
    );
    expect(await find()).toMatchObject({ devices: 1, atNextCheck: 1 });
  });

  it('is no secret of other tenants, and has the right of devices', async () => {
    const foreign = await createApp(await createTenant());
    expectError(await foreign.api.get(`${foreign.path}/deployments/${bundle.deploymentId}/blockers`), 404);
    expectError(await foreign.api.get(`${app.path}/deployments/${bundle.deploymentId}/blockers`), 404);
    expectError(await ask('..'), 404);
    expectError(await ask(randomUUID()), 404, 'deployment_not_found');
  });

  it('waits while a simulation of the app runs, and has one response for all who wait', async () => {
    await createDevice(app);
    const client = new pg.Client({ connectionString: databaseUrl });
    await client.connect();
    try {
      const lock = `hashtext('slipway:simulations'), hashtext('${app.id}')`;
      await client.query(`SELECT pg_advisory_lock(${lock})`);
      const waiting = Promise.all([find(), find(), find()]);
      const simulation = { change: 'pause', appChannelId: app.defaultChannelId };
      await eventually(async () =>
        expectError(await app.api.post(`${app.path}/simulations`, simulation), 409, 'simulation_running'),
      );
      await createDevice(app);
      const released = new Date().toISOString();
      await client.query(`SELECT pg_advisory_unlock(${lock})`);
      const [first, ...others] = await waiting;
      expect(first).toMatchObject({ devices: 2, atNextCheck: 2 });
      expect((first?.computedAt ?? '') >= released.slice(0, 19)).toBe(true);
      for (const other of others) expect(other).toEqual(first);
    } finally {
      await client.end();
    }
  });
});
