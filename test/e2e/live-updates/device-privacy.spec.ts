import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createChannel } from '../../builders/channel.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import { daysAgo, rollUpOnServer } from '../../support/live-updates/insights.js';
import { auditEvents } from '../../support/organizations/audit-log.js';
import { OwnSite } from '../../support/servers/own-site.js';

const { databaseUrl } = testEnvironment();
const HASH = /^[0-9a-f]{64}$/;

const encode = encodeURIComponent;
const customIdOf = async (app: TestApp, id: string): Promise<unknown> =>
  ((await app.api.get(`${app.path}/devices/${id}`)).body as { customId: unknown }).customId;
const idsBy = async (app: TestApp, search: string): Promise<string[]> =>
  ((await app.api.get(`${app.path}/devices?${search}`)).body as { id: string }[]).map(({ id }) => id).sort();
const setHashing = async (app: TestApp, customIdHashing: boolean): Promise<void> => {
  const { status, body } = await app.api.patch(app.path, { customIdHashing });
  expect([status, body]).toMatchObject([200, { customIdHashing }]);
};

/** Tables of the whole database that have the text in any column. */
async function tablesWith(text: string, url = databaseUrl): Promise<string[]> {
  const tables = await query<{ name: string }>(
    url,
    `SELECT quote_ident(table_schema) || '.' || quote_ident(table_name) AS name FROM information_schema.tables
      WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  );
  expect(tables.length).toBeGreaterThan(30);
  const found = await Promise.all(
    tables.map(async ({ name }) => {
      const sql = `SELECT 1 FROM ${name} AS one WHERE strpos(one::text, $1) > 0 LIMIT 1`;
      return (await query(url, sql, [text])).length > 0 ? [name] : [];
    }),
  );
  return found.flat().sort();
}

describe('custom ids', () => {
  it('are kept as hashes where the app says so, and found by what they were', async () => {
    const [app, other] = [await createApp(), await createApp()];
    await setHashing(app, true);
    await setHashing(other, true);
    const customId = `Ada ${randomUUID()}`;
    const device = await createDevice(app, { customId });
    const stranger = await createDevice(other, { customId });
    await createDevice(app, { customId: 'Grace' });
    const hash = await customIdOf(app, device);
    expect(hash).toMatch(HASH);
    expect(await customIdOf(other, stranger)).not.toBe(hash);
    expect(await idsBy(app, `customId=${encode(customId)}`)).toEqual([device]);
    expect(await idsBy(app, `query=${encode(customId)}`)).toEqual([device]);
    expect(await idsBy(app, `customId=${encode(customId)}&query=grace`)).toEqual([]);
    // As the list shows it, for the other devices of the same person; a deletion takes the original one.
    expect(await idsBy(app, `customId=${hash}`)).toEqual([device]);
    expect((await app.api.delete(`${app.path}/devices?customId=${hash}`)).body).toEqual({ deleted: 0 });
    expect(await idsBy(app, `customId=${encode(customId.toUpperCase())}`)).toEqual([]);
    expect(await tablesWith(customId)).toEqual([]);
    const event = (await auditEvents(app.tenant, 'objectType=app&action=updated')).at(-1);
    expect(event).toMatchObject({
      object: { id: app.id },
      before: { customIdHashing: false },
      after: { customIdHashing: true },
    });
  });

  it('are filtered exactly, also where they are kept as they are', async () => {
    const app = await createApp();
    const one = await createDevice(app, { customId: '100%' });
    await createDevice(app, { customId: '1000' });
    expect(await idsBy(app, `customId=${encode('100%')}`)).toEqual([one]);
    expect(await idsBy(app, 'customId=100')).toEqual([]);
    expect(await idsBy(app, `customId=${encode('100%')}&query=0%25`)).toEqual([one]);
    expect(await idsBy(app, 'customId=')).toHaveLength(2);
  });

  it('are hashed that were there before, and each that is reported meanwhile', async () => {
    const app = await createApp();
    const secret = randomUUID();
    await query(
      databaseUrl,
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            custom_id, last_seen_at)
       SELECT $1, 'device-' || n, 0, '1', '1', '1', '1', CASE WHEN n % 10 = 0 THEN NULL ELSE $2 || n END, now()
         FROM generate_series(1, 2500) AS n`,
      [app.id, secret],
    );
    await createDevice(app, { deviceId: 'active', customId: secret });
    const path = `${app.path}/devices`;
    const found = async (): Promise<void> => {
      expect(await idsBy(app, `customId=${secret}11`)).toEqual(['device-11']);
      expect((await app.api.get(`${path}/export?customId=${secret}12`)).body).toHaveLength(1);
    };
    await setHashing(app, true);
    await found();
    await createDevice(app, { deviceId: 'active', customId: secret });
    await eventually(async () => expect(await tablesWith(secret)).toEqual([]));
    await found();
    const counted = await query(
      databaseUrl,
      `SELECT count(*)::int AS devices, count(DISTINCT custom_id)::int AS ids FROM devices
        WHERE app_id = $1 AND custom_id_hashed`,
      [app.id],
    );
    expect(counted).toEqual([{ devices: 2251, ids: 2251 }]);
    expect(await customIdOf(app, 'device-10')).toBeNull();
  });

  it('are kept as they are again, and the same hashes made again, when that is switched', async () => {
    const app = await createApp();
    await setHashing(app, true);
    const [one, two] = [
      await createDevice(app, { customId: 'a' }),
      await createDevice(app, { customId: 'a' }),
    ];
    const hash = await customIdOf(app, one);
    await setHashing(app, false);
    expect(await customIdOf(app, one)).toBe(hash);
    await createDevice(app, { deviceId: one, customId: 'a' });
    expect(await customIdOf(app, one)).toBe('a');
    expect(await idsBy(app, 'customId=a')).toEqual([one, two].sort());
    await setHashing(app, true);
    await eventually(async () => expect(await customIdOf(app, one)).toBe(hash));
    await createDevice(app, { deviceId: two });
    expect(await customIdOf(app, two)).toBeNull();
  });

  it('have the same hashes after the encryption key was changed', async () => {
    const [A, B] = [Buffer.alloc(32, 1).toString('base64'), Buffer.alloc(32, 2).toString('base64')];
    const site = await OwnSite.start({ ENCRYPTION_KEY: A });
    try {
      const tenant = await createTenant(site);
      const app = await createApp(tenant);
      await setHashing(app, true);
      const one = await createDevice(app, { customId: 'a' });
      await site.server.stop();
      await site.restart({ ENCRYPTION_KEY: B, ENCRYPTION_KEYS_OLD: A });
      const moved: TestApp = { ...app, api: new Api(site.origin, tenant.owner.token) };
      const two = await createDevice(moved, { customId: 'a' });
      expect(await customIdOf(moved, two)).toBe(await customIdOf(moved, one));
    } finally {
      await site.dispose();
    }
  });

  it('are hashed by those who may change the app', async () => {
    const app = await createApp();
    const viewer = await createMember(app.tenant, 'viewer');
    expectError(await viewer.api.patch(app.path, { customIdHashing: true }), 403, 'not_authorized');
    for (const customIdHashing of [null, 'true', 1]) {
      expectInvalid(await app.api.patch(app.path, { customIdHashing }), 'customIdHashing');
    }
    for (const deviceRetentionDays of [0, -1, 1.5, 3651, '30', true]) {
      expectInvalid(await app.api.patch(app.path, { deviceRetentionDays }), 'deviceRetentionDays');
    }
    for (const deviceRetentionDays of [1, 3650, null]) {
      const { body } = await app.api.patch(app.path, { deviceRetentionDays });
      expect(body).toMatchObject({ deviceRetentionDays });
    }
  });
});

describe('export', () => {
  it('has all that is stored of a device', async () => {
    const app = await createApp();
    const channel = await createChannel(app);
    const { id: bundleId, deploymentId } = await registerBundle(app);
    const id = await createDevice(app, { customId: 'Ada', platform: '1', runtime: 'cordova', bundleId });
    await app.api.patch(`${app.path}/devices/${id}`, { forcedAppChannelId: channel.id });
    const response = await app.api.get(`${app.path}/devices/${id}/export`);
    const exported = {
      id,
      appId: app.id,
      platform: 1,
      appVersionCode: '10',
      appVersionName: '1.0.0',
      osVersion: '34',
      pluginVersion: '8.4.3',
      customId: 'Ada',
      customIdHashed: false,
      runtime: 'cordova',
      country: null,
      requestedChannelNames: [],
      appChannelId: app.defaultChannelId,
      forcedAppChannelId: channel.id,
      appDeploymentId: deploymentId,
      offeredAt: expect.any(String) as string,
      appliedAt: expect.any(String) as string,
      rolledBackAt: null,
      bundleId,
      lastSeenAt: expect.any(String) as string,
      seenOn: [daysAgo(0)],
      rollbacks: [],
      createdAt: expect.any(String) as string,
      updatedAt: expect.any(String) as string,
    };
    expect(response.body).toEqual(exported);
    expect(response.headers['cache-control']).toContain('no-store');
    const all = await app.api.get(`${app.path}/devices/export?customId=Ada`);
    expect(all.body).toEqual([exported]);
    expect(all.headers['cache-control']).toContain('no-store');
    const columns = await query(
      databaseUrl,
      `SELECT column_name FROM information_schema.columns WHERE table_name = 'devices' AND table_schema = 'public'`,
    );
    expect(Object.keys(exported)).toHaveLength(columns.length + 1);
  });

  it('has every device of the custom id, however many, and no other', async () => {
    const app = await createApp();
    await query(
      databaseUrl,
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            custom_id, last_seen_at)
       SELECT $1, 'device-' || n, 0, '1', '1', '1', '1', CASE WHEN n % 5 = 0 THEN 'other' ELSE 'Ada' END, now()
         FROM generate_series(1, 1500) AS n`,
      [app.id],
    );
    const { body } = await app.api.get(`${app.path}/devices/export?customId=Ada`);
    expect(new Set((body as { id: string }[]).map(({ id }) => id)).size).toBe(1200);
    expect((body as { customId: string }[]).every(({ customId }) => customId === 'Ada')).toBe(true);
    expect((await app.api.get(`${app.path}/devices/export?customId=anonymous`)).body).toEqual([]);
    expectError(await app.api.get(`${app.path}/devices/no one/export`), 404, 'device_not_found');
  });
});

describe('erasing', () => {
  it('deletes all devices of a custom id, and leaves nothing of them anywhere', async () => {
    const app = await createApp();
    const customId = `customer ${randomUUID()}`;
    const ids = await Promise.all([1, 2, 3].map(() => createDevice(app, { customId })));
    const kept = await createDevice(app, { customId: 'other' });
    await query(databaseUrl, `UPDATE apps SET created_at = created_at - interval '3 days' WHERE id = $1`, [
      app.id,
    ]);
    await query(
      databaseUrl,
      `UPDATE devices SET seen_days = 2, last_seen_at = last_seen_at - interval '1 day' WHERE app_id = $1`,
      [app.id],
    );
    await rollUpOnServer();
    const { status, body } = await app.api.delete(`${app.path}/devices?customId=${encode(customId)}`);
    expect([status, body]).toEqual([200, { deleted: 3 }]);
    for (const text of [customId, ...ids]) expect(await tablesWith(text)).toEqual([]);
    expect(await tablesWith(kept)).toEqual(['public.devices']);
    const again = await app.api.delete(`${app.path}/devices?customId=${encode(customId)}`);
    expect(again.body).toEqual({ deleted: 0 });
    // It is not blocked.
    await checkForUpdate(app, { deviceId: ids[0] ?? '', customId });
    expect(await idsBy(app, `customId=${encode(customId)}`)).toEqual([ids[0]]);
  });

  it('deletes one device, and leaves in the audit log only that a person has forced it', async () => {
    const app = await createApp();
    const channel = await createChannel(app);
    const [plain, forced] = [await createDevice(app, { customId: 'a' }), await createDevice(app)];
    await app.api.patch(`${app.path}/devices/${forced}`, { forcedAppChannelId: channel.id });
    for (const id of [plain, forced])
      expect((await app.api.delete(`${app.path}/devices/${id}`)).status).toBe(204);
    expect(await tablesWith(plain)).toEqual([]);
    expect(await tablesWith(forced)).toEqual(['public.audit_events']);
  });

  it('takes hashed and plain custom ids alike', async () => {
    const app = await createApp();
    await setHashing(app, true);
    await createDevice(app, { customId: 'Ada' });
    await setHashing(app, false);
    await createDevice(app, { customId: 'Ada' });
    const { body } = await app.api.delete(`${app.path}/devices?customId=Ada`);
    expect(body).toEqual({ deleted: 2 });
  });

  it('is not done without a custom id, nor with one that no device can have', async () => {
    const app = await createApp();
    await createDevice(app);
    for (const search of [
      '',
      '?customId',
      '?customId=',
      `?customId=${'x'.repeat(256)}`,
      '?customId=a&customId=b',
    ]) {
      expectInvalid(await app.api.delete(`${app.path}/devices${search}`), 'customId');
      expectInvalid(await app.api.get(`${app.path}/devices/export${search}`), 'customId');
    }
    expectError(await app.api.delete(`${app.path}/devices?customId=a%00b`), 400, 'malformed_text');
    // The connection may be closed before all of it was sent.
    const huge = await fetch(`${app.api.origin}${app.path}/devices?customId=${'x'.repeat(1024 * 1024)}`, {
      method: 'DELETE',
      headers: { Authorization: `Bearer ${app.api.token}` },
    }).catch(() => ({ status: 431 }));
    expect(huge.status).toBe(431);
    expect(await idsBy(app, '')).toHaveLength(1);
    const deviceId = await createDevice(app, { customId: 'x'.repeat(256) });
    expect((await app.api.get(`${app.path}/devices/${deviceId}`)).body).toMatchObject({ customId: null });
  });

  it('is refused to those who may not', async () => {
    const app = await createApp();
    const id = await createDevice(app, { customId: 'Ada' });
    const { owner } = await createTenant();
    const viewer = await createMember(app.tenant, 'viewer');
    const reader = await createToken(app.api, { permissions: ['devices:read'] });
    const path = `${app.path}/devices?customId=Ada`;
    expectError(await owner.api.delete(path), 404, 'app_not_found');
    expectError(await owner.api.get(`${app.path}/devices/export?customId=Ada`), 404, 'app_not_found');
    expectError(await owner.api.get(`${app.path}/devices/${id}/export`), 404, 'app_not_found');
    expectError(await viewer.api.delete(path), 403, 'not_authorized');
    expectError(await reader.api.delete(path), 403);
    expect((await reader.api.get(`${app.path}/devices/${id}/export`)).status).toBe(200);
    const other = await createApp(app.tenant);
    expect((await other.api.delete(`${other.path}/devices?customId=Ada`)).body).toEqual({ deleted: 0 });
    expect(await idsBy(app, '')).toEqual([id]);
  });
});
