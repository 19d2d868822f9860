import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { daysAgo } from '../../support/live-updates/insights.js';
import { OwnSite } from '../../support/servers/own-site.js';

let site: OwnSite;
let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start({ TRUST_PROXY: 'loopback', COUNTRY_HEADER: 'CF-IPCountry' });
  tenant = await createTenant(site);
  app = await createApp(tenant);
});
afterAll(() => site.dispose());

const exported = async (id: string): Promise<Record<string, unknown>> =>
  (await app.api.get(`${app.path}/devices/${id}/export`)).body as Record<string, unknown>;

/** As if so many days had passed since the device was seen last. */
const letPass = (id: string, days: number): Promise<unknown> =>
  site.query(`UPDATE devices SET last_seen_at = last_seen_at - make_interval(days => $2) WHERE id = $1`, [
    id,
    days,
  ]);

describe('a check', () => {
  it.each([
    ['DE', 'DE'],
    ['at', 'AT'],
    ['', null],
    ['Germany', null],
    ['T1', null],
    [null, null],
  ])('with the country %j of the proxy is remembered with %j', async (header, country) => {
    const deviceId = randomUUID();
    const path = `${app.path}/bundles/latest?platform=0&deviceId=${deviceId}`;
    const request = new Api(site.origin, null).request('get', path);
    if (header !== null) void request.set('CF-IPCountry', header);
    await request;
    expect(await exported(deviceId)).toMatchObject({ country });
    const { body } = await app.api.get(`${app.path}/devices/${deviceId}`);
    expect(body).toMatchObject({ country });
    // What is remembered is the last one.
    await createDevice(app, { deviceId });
    expect(await exported(deviceId)).toMatchObject({ country: null });
  });

  it('is remembered with the bundle that runs, or that it is an unknown one', async () => {
    const [deviceId, bundleId] = [randomUUID(), randomUUID()];
    for (const [reported, remembered] of [
      [bundleId, bundleId],
      ['1.0.0-custom', '00000000-0000-0000-0000-000000000000'],
      [bundleId.toUpperCase(), bundleId],
      ['', null],
    ] as const) {
      await createDevice(app, { deviceId, bundleId: reported });
      expect(await exported(deviceId)).toMatchObject({ bundleId: remembered });
    }
  });

  it('adds its day to those that the device was seen on, 62 of which are kept', async () => {
    const id = await createDevice(app);
    const seenAfter = async (days: number): Promise<unknown> => {
      await letPass(id, days);
      await createDevice(app, { deviceId: id });
      return (await exported(id))['seenOn'];
    };
    expect(await seenAfter(0)).toEqual([daysAgo(0)]);
    expect(await seenAfter(1)).toEqual([0, 1].map(daysAgo));
    expect(await seenAfter(3)).toEqual([0, 3, 4].map(daysAgo));
    expect(await seenAfter(57)).toEqual([0, 57, 60, 61].map(daysAgo));
    expect(await seenAfter(1)).toEqual([0, 1, 58, 61].map(daysAgo));
    expect(await seenAfter(61)).toEqual([0, 61].map(daysAgo));
    expect(await seenAfter(62)).toEqual([daysAgo(0)]);
    expect(await seenAfter(4000)).toEqual([daysAgo(0)]);
    // A clock that was ahead.
    expect(await seenAfter(-2)).toEqual([daysAgo(0)]);
  });
});

describe('devices that are not seen any more', () => {
  const runRetention = (): Promise<unknown> =>
    site.query(`INSERT INTO queue.job (name, data) VALUES ('device-retention', '{}')`);
  const ids = async (of: TestApp): Promise<string[]> =>
    ((await of.api.get(`${of.path}/devices`)).body as { id: string }[]).map(({ id }) => id);

  it('are deleted when the app says so, after as many days as it says', async () => {
    const [own, other] = [await createApp(tenant), await createApp(tenant)];
    const [old, young, foreign] = [
      await createDevice(own),
      await createDevice(own),
      await createDevice(other),
    ];
    await Promise.all([letPass(old, 31), letPass(young, 29), letPass(foreign, 300)]);
    await site.query(
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            last_seen_at)
       SELECT $1, 'device-' || n, 0, '1', '1', '1', '1', now() - interval '40 days' FROM generate_series(1, 2500) AS n`,
      [own.id],
    );
    await own.api.patch(own.path, { deviceRetentionDays: 30 });
    await runRetention();
    await eventually(async () => expect(await ids(own)).toEqual([young]));
    expect(await ids(other)).toEqual([foreign]);
    expect((await checkForUpdate(own, { deviceId: old })).status).toBe(404);
    expect(new Set(await ids(own))).toEqual(new Set([old, young]));
  });

  it('are deleted after a year when the app says nothing, but not when it says something else', async () => {
    const [own, other] = [await createApp(tenant), await createApp(tenant)];
    await other.api.patch(other.path, { deviceRetentionDays: 3650 });
    const [old, young, kept] = [await createDevice(own), await createDevice(own), await createDevice(other)];
    await Promise.all([letPass(old, 366), letPass(young, 364), letPass(kept, 2000)]);
    await runRetention();
    await eventually(async () => expect(await ids(own)).toEqual([young]));
    expect(await ids(other)).toEqual([kept]);
  });

  it('are kept with DEVICE_RETENTION_DAYS=0', async () => {
    await site.restart({ DEVICE_RETENTION_DAYS: '0' });
    const api = new Api(site.origin, tenant.owner.token);
    const of = { ...(await createApp({ ...tenant, owner: { ...tenant.owner, api } })), api };
    const sentinel = await createApp(of.tenant);
    await api.patch(sentinel.path, { deviceRetentionDays: 30 });
    const [old, expired] = [await createDevice(of), await createDevice(sentinel)];
    await Promise.all([letPass(old, 3000), letPass(expired, 31)]);
    await runRetention();
    await eventually(async () => expect(await ids(sentinel)).toEqual([]));
    expect(await ids(of)).toEqual([old]);
  });
});
