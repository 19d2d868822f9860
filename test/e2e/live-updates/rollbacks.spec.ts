import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle, type TestBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { createDeployment } from '../../builders/deployment.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { createMember } from '../../builders/identities.js';
import { putPlan } from '../../builders/rollout-plan.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { rollBack } from '../../support/devices/rollbacks.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { auditEvents, eventsOfRequest } from '../../support/organizations/audit-log.js';

const { databaseUrl } = testEnvironment();

let app: TestApp;
let older: TestBundle;
let bundle: TestBundle;

beforeEach(async () => {
  app = await createApp();
  older = await registerBundle(app);
  bundle = await registerBundle(app);
});

/** The bundle that a device is offered; `null`: none. */
async function offered(deviceId: string, values: Readonly<Record<string, string>> = {}): Promise<unknown> {
  const { body } = await checkForUpdate(app, { deviceId, ...values });
  return (body as { bundleId?: string }).bundleId ?? null;
}

const setLimit = async (rollbackLimit: number | null): Promise<void> => {
  const path = `${app.path}/channels/${app.defaultChannelId}`;
  const { status, body } = await app.api.patch(path, { rollbackLimit });
  expect([status, body]).toMatchObject([200, { rollbackLimit }]);
};

const counts = async (deviceId: string): Promise<unknown> =>
  ((await app.api.get(`${app.path}/devices/${deviceId}/export`)).body as { rollbacks: unknown }).rollbacks;
const counted = (count: number, of = bundle, appVersionCode = '10', consecutiveCount = count) => ({
  bundleId: of.id,
  appVersionCode,
  count,
  consecutiveCount,
  lastAt: expect.any(String) as string,
});

describe('a bundle that a device rolls back', () => {
  it('is not offered to that device again from the second time on, and the older one is', async () => {
    const device = randomUUID();
    await rollBack(app, device, bundle.id);
    expect(await counts(device)).toEqual([counted(1)]);
    expect(await offered(device)).toBe(bundle.id);
    await rollBack(app, device, bundle.id);
    expect(await counts(device)).toEqual([counted(2)]);
    expect(await offered(device)).toBe(older.id);
    expect(await offered(device, { bundleId: bundle.id })).toBe(bundle.id);
    expect(await offered(randomUUID())).toBe(bundle.id);
  });

  it('is offered again in another native version, and as part of a newer bundle', async () => {
    const device = randomUUID();
    await rollBack(app, device, bundle.id);
    await rollBack(app, device, bundle.id);
    expect(await offered(device, { appVersionCode: '11' })).toBe(bundle.id);
    expect(await offered(device)).toBe(older.id);
    const next = await registerBundle(app);
    expect(await offered(device)).toBe(next.id);
  });

  it('is counted by each return only, not by what is reported again', async () => {
    const device = randomUUID();
    for (let n = 0; n < 3; n++) await createDevice(app, { deviceId: device, bundleId: bundle.id });
    for (let n = 0; n < 3; n++) await createDevice(app, { deviceId: device });
    expect(await counts(device)).toEqual([counted(1)]);
  });

  it('is counted also when all checks are written at once', async () => {
    const device = randomUUID();
    for (const bundleId of [bundle.id, '', bundle.id, '', ''])
      await checkForUpdate(app, { deviceId: device, bundleId });
    expect(await counts(device)).toEqual([counted(2)]);
    expect(await offered(device)).toBe(older.id);
  });

  it('is counted also when the device goes back to an older bundle, as on Electron', async () => {
    const device = randomUUID();
    for (let count = 1; count <= 2; count++) {
      expect(await offered(device, { bundleId: older.id })).toBe(bundle.id);
      await createDevice(app, { deviceId: device, bundleId: bundle.id });
      for (let n = 0; n < 2; n++) await createDevice(app, { deviceId: device, bundleId: older.id });
      expect(await counts(device)).toEqual([counted(count)]);
    }
    expect(await offered(device, { bundleId: older.id })).toBe(older.id);
    expect(await offered(randomUUID(), { bundleId: older.id })).toBe(bundle.id);
  });

  it('is not counted after an update from the store, or with another offer', async () => {
    const device = randomUUID();
    await createDevice(app, { deviceId: device, bundleId: bundle.id });
    await createDevice(app, { deviceId: device, appVersionCode: '11' });
    await createDevice(app, { deviceId: device, bundleId: older.id, appVersionCode: '11' });
    await createDevice(app, { deviceId: device, appVersionCode: '11' });
    await createDevice(app, { deviceId: device, bundleId: bundle.id });
    await registerBundle(app);
    await createDevice(app, { deviceId: device, bundleId: older.id });
    await createDevice(app, { deviceId: device });
    expect(await counts(device)).toEqual([]);
  });

  it('is withheld whatever the device calls itself and its version', async () => {
    const values = { appVersionCode: '1/é 1.0+𝄞' };
    const device = `..:Phone~${'x'.repeat(200)}_2`;
    await rollBack(app, device, bundle.id, values);
    await rollBack(app, device, bundle.id, values);
    expect(await offered(device, values)).toBe(older.id);
    await registerBundle(app, { rolloutPercentage: 0 });
    expect(await offered(device, values)).toBe(older.id);
  });

  it('is counted once by two servers that write the same at once', async () => {
    const device = await createDevice(app, { bundleId: bundle.id });
    const clients = [new pg.Client(databaseUrl), new pg.Client(databaseUrl)] as const;
    for (const client of clients) {
      await client.connect();
      await client.query('BEGIN');
    }
    const write = (client: pg.Client): Promise<unknown> =>
      client.query('UPDATE devices SET bundle_id = NULL WHERE app_id = $1 AND id = $2', [app.id, device]);
    await write(clients[0]);
    const second = write(clients[1]);
    await clients[0].query('COMMIT');
    await second;
    await clients[1].query('COMMIT');
    for (const client of clients) await client.end();
    expect(await counts(device)).toEqual([counted(1)]);
  });

  it('is withheld as each channel says', async () => {
    const device = randomUUID();
    await rollBack(app, device, bundle.id);
    await setLimit(1);
    expect(await offered(device)).toBe(older.id);
    await setLimit(3);
    await rollBack(app, device, bundle.id);
    expect(await offered(device)).toBe(bundle.id);
    await rollBack(app, device, bundle.id);
    expect(await offered(device)).toBe(older.id);
    await setLimit(null);
    expect(await offered(device)).toBe(bundle.id);
    const other = await createChannel(app, { rollbackLimit: 100 });
    await createDeployment(app, { appBuildId: bundle.buildId, appChannelId: other.id });
    expect(await offered(device, { channelName: other.name })).toBe(bundle.id);
  });

  it('is explained, with what to do', async () => {
    const device = randomUUID();
    await rollBack(app, device, bundle.id);
    await rollBack(app, device, bundle.id);
    const { body } = await app.api.get(`${app.path}/devices/${device}/decision`);
    expect(body).toMatchObject({
      deployment: { bundleId: older.id },
      goals: [
        {
          deployment: { bundleId: bundle.id },
          remedies: [
            {
              remedy: 'offer-again',
              target: 'device',
              id: device,
              required: 2,
              actual: 2,
              message: 'The device has rolled the bundle back 2 times: offer it again.',
            },
          ],
        },
      ],
    });
  });
});

describe('a bundle that a device has run well', () => {
  /** The device ran what it runs now for so long. */
  const runFor = (device: string, minutes: number): Promise<unknown> =>
    query(
      databaseUrl,
      'UPDATE devices SET last_seen_at = last_seen_at - make_interval(mins => $3) WHERE app_id = $1 AND id = $2',
      [app.id, device, minutes],
    );
  const runWell = async (device: string): Promise<void> => {
    await createDevice(app, { deviceId: device, bundleId: bundle.id });
    await runFor(device, 10);
    await createDevice(app, { deviceId: device, bundleId: bundle.id });
  };
  /** A healthy bundle that the app leaves by itself. */
  const reset = async (device: string): Promise<void> => {
    await runWell(device);
    await createDevice(app, { deviceId: device });
  };

  it('is offered until three times the limit, if it ran well before each roll-back', async () => {
    const device = randomUUID();
    for (let all = 1; all <= 5; all++) {
      await reset(device);
      expect(await counts(device)).toEqual([counted(all, bundle, '10', 1)]);
      expect(await offered(device)).toBe(bundle.id);
    }
    await reset(device);
    expect(await offered(device)).toBe(older.id);
    const { body } = await app.api.get(`${app.path}/devices/${device}/decision`);
    expect(body).toMatchObject({
      goals: [{ remedies: [{ remedy: 'offer-again', required: 6, actual: 6 }] }],
    });
  });

  it('is withheld as soon as it fails at each start, also after a healthy time', async () => {
    const device = randomUUID();
    await rollBack(app, device, bundle.id);
    await runWell(device);
    expect(await counts(device)).toEqual([counted(1, bundle, '10', 0)]);
    await createDevice(app, { deviceId: device });
    expect(await offered(device)).toBe(bundle.id);
    await rollBack(app, device, bundle.id);
    expect(await counts(device)).toEqual([counted(3, bundle, '10', 2)]);
    expect(await offered(device)).toBe(older.id);
  });

  it.each<[string, (device: string) => Promise<unknown>]>([
    [
      'checks that follow each other sooner',
      async (device) => {
        await createDevice(app, { deviceId: device, bundleId: bundle.id });
        await runFor(device, 9);
        await createDevice(app, { deviceId: device, bundleId: bundle.id });
      },
    ],
    [
      'checks with something else in between',
      async (device) => {
        await createDevice(app, { deviceId: device, bundleId: bundle.id });
        await runFor(device, 20);
        await createDevice(app, { deviceId: device, bundleId: randomUUID() });
        await createDevice(app, { deviceId: device, bundleId: bundle.id });
      },
    ],
    [
      'checks of two native versions',
      async (device) => {
        await createDevice(app, { deviceId: device, bundleId: bundle.id, appVersionCode: '9' });
        await runFor(device, 20);
        await createDevice(app, { deviceId: device, bundleId: bundle.id });
      },
    ],
    [
      'a long time without any bundle',
      async (device) => {
        await runFor(device, 60);
        await createDevice(app, { deviceId: device });
      },
    ],
  ])('is not one with %s', async (_what, checks) => {
    const device = randomUUID();
    await rollBack(app, device, bundle.id);
    await checks(device);
    const [count] = (await counts(device)) as [{ consecutiveCount: number }];
    expect(count.consecutiveCount).toBeGreaterThan(0);
  });

  it('is noted by all servers, also by those that start later', async () => {
    const [one, other] = [randomUUID(), randomUUID()];
    await setLimit(1);
    for (const device of [one, other]) {
      await rollBack(app, device, bundle.id);
      expect(await offered(device)).toBe(older.id);
      await runWell(device);
    }
    expect(await offered(one)).toBe(bundle.id);
    // The table is loaded again.
    await registerBundle(app, { rolloutPercentage: 0 });
    expect(await offered(other)).toBe(bundle.id);
  });
});

describe('offering a bundle again', () => {
  const block = async (): Promise<string> => {
    const device = randomUUID();
    await rollBack(app, device, bundle.id);
    await rollBack(app, device, bundle.id);
    expect(await offered(device)).toBe(older.id);
    return device;
  };

  it('to one device leaves the others as they are, and is recorded', async () => {
    const [one, other] = [await block(), await block()];
    const path = `${app.path}/devices/${one}/blocked-bundles/${bundle.id}`;
    expect((await app.api.delete(path)).status).toBe(204);
    expect(await offered(one)).toBe(bundle.id);
    expect(await offered(other)).toBe(older.id);
    expect((await app.api.delete(path)).status).toBe(204);
    const events = await auditEvents(app.tenant, 'objectType=device-rollback');
    expect(events).toMatchObject([
      { action: 'deleted', before: { deviceId: one, bundleId: bundle.id, appVersionCode: '10', count: 2 } },
    ]);
  });

  it('to all devices is recorded once, of the bundle', async () => {
    const devices = [await block(), await block()];
    const path = `${bundle.path}/blocked-devices`;
    const response = await app.api.delete(path);
    expect(response.status).toBe(204);
    for (const device of devices) expect(await offered(device)).toBe(bundle.id);
    expect((await app.api.delete(path)).status).toBe(204);
    expect(await eventsOfRequest(app.tenant, response)).toMatchObject([
      {
        object: { type: 'bundle', id: bundle.id },
        before: { rollbacksClearedAt: null },
        after: { rollbacksClearedAt: expect.any(String) as string },
      },
    ]);
    expect(await auditEvents(app.tenant, 'objectType=device-rollback')).toEqual([]);
  });

  it('needs a device and a bundle of the app, and the permission', async () => {
    const device = await block();
    const { path } = app;
    const unknown = randomUUID();
    expectError(
      await app.api.delete(`${path}/devices/unknown/blocked-bundles/${bundle.id}`),
      404,
      'device_not_found',
    );
    for (const url of [
      `${path}/devices/${device}/blocked-bundles/${unknown}`,
      `${path}/bundles/${unknown}/blocked-devices`,
    ])
      expectError(await app.api.delete(url), 404, 'bundle_not_found');
    const viewer = await createMember(app.tenant, 'viewer');
    expectError(await viewer.api.delete(`${bundle.path}/blocked-devices`), 403, 'not_authorized');
    expect(await offered(device)).toBe(older.id);
  });
});

describe('what is kept of roll-backs', () => {
  const rows = (): Promise<unknown[]> =>
    query(databaseUrl, 'SELECT 1 AS one FROM device_rollbacks WHERE app_id = $1', [app.id]);

  it('is deleted with the device, which is then offered the bundle again', async () => {
    const device = randomUUID();
    await rollBack(app, device, bundle.id, { customId: 'Ada' });
    await rollBack(app, device, bundle.id, { customId: 'Ada' });
    const all = await app.api.get(`${app.path}/devices/export?customId=Ada`);
    expect(all.body).toMatchObject([{ id: device, rollbacks: [counted(2)] }]);
    await app.api.delete(`${app.path}/devices?customId=Ada`);
    expect(await rows()).toEqual([]);
    expect(await offered(device)).toBe(bundle.id);
    expect(await auditEvents(app.tenant, 'objectType=device-rollback')).toEqual([]);
  });

  it('is bounded: of each device the newest 20, whatever versions it makes up', async () => {
    const [device, other] = [randomUUID(), randomUUID()];
    await rollBack(app, other, bundle.id);
    for (let version = 1; version <= 23; version++)
      await rollBack(app, device, bundle.id, { appVersionCode: `${version}` });
    expect(await counts(device)).toEqual(
      Array.from({ length: 20 }, (_, index) => counted(1, bundle, `${index + 4}`)),
    );
    expect(await counts(other)).toEqual([counted(1)]);
    await rollBack(app, device, bundle.id, { appVersionCode: '4' });
    expect(await counts(device)).toContainEqual(counted(2, bundle, '4'));
  });

  it('is announced together for all devices of a batch', async () => {
    const devices = await Promise.all(
      Array.from({ length: 5 }, () => createDevice(app, { bundleId: bundle.id })),
    );
    const client = new pg.Client(databaseUrl);
    await client.connect();
    const payloads: string[] = [];
    client.on('notification', ({ payload = '' }) => payload.startsWith(app.id) && payloads.push(payload));
    await client.query('LISTEN rollbacks');
    await client.query('UPDATE devices SET bundle_id = NULL WHERE app_id = $1', [app.id]);
    await client.query('SELECT 1');
    await client.end();
    expect(payloads).toHaveLength(1);
    expect(payloads[0]?.match(/:1:1\b/g)).toHaveLength(devices.length);
  });

  it('is deleted with the bundle', async () => {
    await rollBack(app, randomUUID(), bundle.id);
    expect(await rows()).toHaveLength(1);
    expect((await app.api.delete(bundle.path)).status).toBe(204);
    expect(await rows()).toEqual([]);
  });
});

describe('rollbackLimit of a channel', () => {
  it('is 2 unless it is set, from 1 to 100 or off', async () => {
    expect((await app.api.get(`${app.path}/channels/${app.defaultChannelId}`)).body).toMatchObject({
      rollbackLimit: 2,
    });
    for (const rollbackLimit of [1, 100, null]) {
      const name = randomUUID();
      const { status, body } = await app.api.post(`${app.path}/channels`, { name, rollbackLimit });
      expect([status, body]).toMatchObject([201, { rollbackLimit }]);
      await setLimit(rollbackLimit);
    }
    for (const rollbackLimit of [0, 101, -1, 1.5, '2', true, {}]) {
      const { defaultChannelId } = app;
      const values = { rollbackLimit };
      expectInvalid(await app.api.patch(`${app.path}/channels/${defaultChannelId}`, values), 'rollbackLimit');
      expectInvalid(await app.api.post(`${app.path}/channels`, { name: 'x', ...values }), 'rollbackLimit');
    }
  });
});

describe('the health of a rollout', () => {
  it('counts devices that the bundle is withheld from as rolled back', async () => {
    const deploymentId = bundle.deploymentId ?? '';
    await putPlan(app, deploymentId, {});
    const health = async (): Promise<unknown> =>
      (
        (await app.api.get(`${app.path}/deployments/${deploymentId}/rollout-plan`)).body as {
          health: unknown;
        }
      ).health;
    const device = randomUUID();
    await rollBack(app, device, bundle.id);
    expect(await health()).toMatchObject({ offered: 1, applied: 1, rolledBack: 1, blocked: 0 });
    await rollBack(app, device, bundle.id);
    expect(await health()).toMatchObject({ offered: 1, applied: 1, rolledBack: 1, blocked: 1 });
    await createDevice(app, { deviceId: device });
    expect(await offered(device)).toBe(older.id);
    expect(await health()).toMatchObject({ offered: 1, applied: 1, rolledBack: 1, blocked: 1 });
    await createDevice(app, { deviceId: device, appVersionCode: '11' });
    expect(await health()).toMatchObject({ offered: 1, applied: 0, rolledBack: 0, blocked: 0 });
  });
});
