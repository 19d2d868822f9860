import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { createApp, type TestApp } from '../../builders/app.js';
import { registerBundle } from '../../builders/bundle.js';
import { createDevice } from '../../builders/device.js';
import { createChannel } from '../../builders/channel.js';
import { createMember, createTenant } from '../../builders/identities.js';
import { createToken } from '../../builders/token.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import type { Api } from '../../support/http/api.js';
import { eventually } from '../../support/eventually.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';
import {
  daysAgo,
  rollUp,
  rollUpOnServer,
  type SeenDevice,
  writeDevices,
} from '../../support/live-updates/insights.js';

const { databaseUrl } = testEnvironment();

interface Group {
  readonly value: string | null;
  readonly others: boolean;
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

async function groupsOf(app: TestApp, groupBy: string, day: string): Promise<Group[]> {
  const search = `groupBy=${groupBy}&from=${day}&to=${day}`;
  const { status, body } = await app.api.get(`${app.path}/insights/devices?${search}`);
  expect(status).toBe(200);
  return (body as { day: string; groups: Group[] }[]).flatMap(({ groups }) => groups);
}

const countsOf = (app: TestApp): Promise<Record<string, unknown>[]> =>
  query(databaseUrl, 'SELECT * FROM device_counts WHERE app_id = $1 ORDER BY 2, 3, 4, 5', [app.id]);

/** As the documentation reports it, without any cleverness. */
function naiveCount(devices: readonly SeenDevice[], ago: number): Omit<Group, 'value' | 'others'> {
  const within = (days: number): number =>
    devices.filter(({ seen }) => seen.some((day) => day >= ago && day < ago + days)).length;
  return { daily: within(1), weekly: within(7), monthly: within(30) };
}

function naiveGroups(
  devices: readonly SeenDevice[],
  ago: number,
  valueOf: (device: SeenDevice) => string | null,
): Group[] {
  const groups = Map.groupBy(devices, valueOf);
  return [...groups]
    .map(([value, members]) => ({ value, others: false, ...naiveCount(members, ago) }))
    .filter(({ monthly }) => monthly > 0)
    .sort((a, b) => b.monthly - a.monthly || (a.value ?? '').localeCompare(b.value ?? '', 'en'));
}

describe('counts of devices', () => {
  it('are those of a naive count, of any devices, however late they are made', async () => {
    const channels = [randomUUID(), randomUUID(), null];
    const bundles = [randomUUID(), randomUUID(), null];
    const device: fc.Arbitrary<SeenDevice> = fc.record({
      seen: fc.uniqueArray(fc.nat(95), { minLength: 1, maxLength: 30 }),
      channelId: fc.constantFrom(...channels),
      bundleId: fc.constantFrom(...bundles),
      appVersionName: fc.constantFrom('1.0.0', '1.1', '2.0.0-beta', ''),
      appVersionCode: fc.constantFrom('10', '11'),
      platform: fc.nat(2),
    });
    const populations = fc.sample(fc.array(device, { minLength: 0, maxLength: 80 }), 4);
    const apps = await Promise.all(
      populations.map(async (devices) => {
        const app = await createApp();
        await writeDevices(app, devices, 60);
        return { app, devices };
      }),
    );
    await rollUpOnServer();
    for (const { app, devices } of apps) {
      const { body } = await app.api.get(`${app.path}/insights/active-devices?from=${daysAgo(60)}`);
      // The last one is today.
      const late = Array.from({ length: 32 }, (_, index) => 31 - index);
      expect(body).toEqual(late.map((ago) => ({ day: daysAgo(ago), ...naiveCount(devices, ago) })));
      for (const ago of [31, 7, 1, 0]) {
        const groups = {
          channel: ({ channelId }: SeenDevice) => channelId ?? null,
          bundle: ({ bundleId }: SeenDevice) => bundleId ?? null,
          appVersionName: ({ appVersionName }: SeenDevice) => appVersionName || null,
          appVersionCode: ({ appVersionCode }: SeenDevice) => appVersionCode ?? null,
          platform: ({ platform = 0 }: SeenDevice) => ['android', 'ios', 'electron'][platform] ?? null,
        };
        for (const [groupBy, valueOf] of Object.entries(groups)) {
          expect(new Set(await groupsOf(app, groupBy, daysAgo(ago)))).toEqual(
            new Set(naiveGroups(devices, ago, valueOf)),
          );
        }
      }
    }
  });

  it('are made once, and stay what they were', async () => {
    const app = await createApp();
    await writeDevices(app, [{ seen: [1, 2] }, { seen: [0, 3] }], 3);
    await Promise.all([rollUp(), rollUp()]);
    const first = await countsOf(app);
    expect(first).not.toEqual([]);
    await query(databaseUrl, `UPDATE devices SET platform = 1, seen_days = 15 WHERE app_id = $1`, [app.id]);
    await rollUpOnServer();
    expect(await countsOf(app)).toEqual(first);
    await query(databaseUrl, 'DELETE FROM devices WHERE app_id = $1', [app.id]);
    await rollUpOnServer();
    expect(await countsOf(app)).toEqual(first);
  });

  it('begin with the app, and go on after days without', async () => {
    const app = await createApp();
    await writeDevices(app, [{ seen: [0, 1, 2, 3, 4, 5] }], 5);
    await rollUpOnServer();
    await query(databaseUrl, 'DELETE FROM device_counts WHERE app_id = $1 AND day > $2', [
      app.id,
      daysAgo(4),
    ]);
    await rollUpOnServer();
    const { body } = await app.api.get(`${app.path}/insights/active-devices`);
    expect(body).toEqual(
      [5, 4, 3, 2, 1, 0].map((ago) => ({ day: daysAgo(ago), daily: 1, weekly: 1, monthly: 1 })),
    );
  });

  it('have today, as far as it is over, seconds after a check', async () => {
    const app = await createApp();
    const { id: bundleId, deploymentId } = await registerBundle(app);
    const path = `${app.path}/insights`;
    const day = daysAgo(0);
    expect((await app.api.get(`${path}/active-devices`)).body).toEqual([
      { day, daily: 0, weekly: 0, monthly: 0 },
    ]);
    await createDevice(app);
    await createDevice(app, { platform: '1', bundleId });
    const counts = { daily: 2, weekly: 2, monthly: 2 };
    await eventually(async () =>
      expect((await app.api.get(`${path}/active-devices?from=${day}&to=${day}`)).body).toEqual([
        { day, ...counts },
      ]),
    );
    expect(await groupsOf(app, 'channel', day)).toEqual([
      { value: app.defaultChannelId, others: false, ...counts },
    ]);
    const one = { others: false, daily: 1, weekly: 1, monthly: 1 };
    expect(await groupsOf(app, 'platform', day)).toEqual([
      { value: 'android', ...one },
      { value: 'ios', ...one },
    ]);
    expect((await app.api.get(`${path}/deployments/${deploymentId}/adoption`)).body).toEqual([
      { day, devices: 1, channelDevices: 2, share: 0.5 },
    ]);
    // Nothing of it is written.
    expect(await countsOf(app)).toEqual([]);
  });

  it('have yesterday before it is counted, the same as afterwards', async () => {
    const app = await createApp();
    await writeDevices(app, [{ seen: [0, 1] }, { seen: [1], platform: 1 }, { seen: [9], platform: 1 }], 5);
    const read = async (): Promise<unknown[]> => {
      const { body } = await app.api.get(`${app.path}/insights/active-devices?from=${daysAgo(1)}`);
      return [body, await groupsOf(app, 'platform', daysAgo(1))];
    };
    const early = await read();
    expect(early[0]).toEqual([
      { day: daysAgo(1), daily: 2, weekly: 2, monthly: 3 },
      { day: daysAgo(0), daily: 1, weekly: 2, monthly: 3 },
    ]);
    await rollUpOnServer();
    expect(await read()).toEqual(early);
  });

  it('go by the channel that a device is forced to', async () => {
    const app = await createApp();
    const forced = await createChannel(app);
    await writeDevices(app, [{ seen: [1], forcedChannelId: forced.id }, { seen: [1] }], 1);
    await rollUpOnServer();
    expect(new Set((await groupsOf(app, 'channel', daysAgo(1))).map(({ value }) => value))).toEqual(
      new Set([forced.id, app.defaultChannelId]),
    );
  });

  it('do not show countries of few devices', async () => {
    const app = await createApp();
    const from = (country: string | null, count: number): SeenDevice[] =>
      Array.from({ length: count }, () => ({ seen: [1], country }));
    await writeDevices(app, [...from('DE', 5), ...from('FR', 4), ...from('LI', 1), ...from(null, 2)], 1);
    await rollUpOnServer();
    const counts = (devices: number) => ({ daily: devices, weekly: devices, monthly: devices });
    expect(await groupsOf(app, 'country', daysAgo(1))).toEqual([
      { value: 'DE', others: false, ...counts(5) },
      { value: null, others: false, ...counts(2) },
      { value: null, others: true, ...counts(5) },
    ]);
    expect(JSON.stringify(await countsOf(app))).not.toMatch(/"(FR|LI)"/);
  });

  it('count the digits of all scripts by their value', async () => {
    const app = await createApp();
    const codes = ['21', '٢١', '২১', '２１', '𝟚𝟙', '٢٢'];
    await writeDevices(
      app,
      codes.map((appVersionCode) => ({
        seen: [0, 1],
        appVersionCode,
        appVersionName: `النسخة ${appVersionCode}`,
      })),
      1,
    );
    await rollUpOnServer();
    const counts = (devices: number) => ({
      others: false,
      daily: devices,
      weekly: devices,
      monthly: devices,
    });
    // Yesterday, which is counted for good, and today.
    for (const day of [daysAgo(1), daysAgo(0)]) {
      expect(await groupsOf(app, 'appVersionCode', day)).toEqual([
        { value: '21', ...counts(5) },
        { value: '22', ...counts(1) },
      ]);
      expect(await groupsOf(app, 'appVersionName', day)).toEqual([
        { value: 'النسخة 21', ...counts(5) },
        { value: 'النسخة 22', ...counts(1) },
      ]);
    }
  });

  it('keep the hundred most frequent values, whatever devices say', async () => {
    const app = await createApp();
    const odd = Array.from({ length: 150 }, (_, index) => ({ seen: [1], appVersionName: `odd ${index}` }));
    await writeDevices(
      app,
      [...odd, { seen: [1], appVersionName: '1' }, { seen: [2], appVersionName: '1' }],
      1,
    );
    await rollUpOnServer();
    const groups = await groupsOf(app, 'appVersionName', daysAgo(1));
    expect(groups).toHaveLength(101);
    expect(groups[0]).toEqual({ value: '1', others: false, daily: 1, weekly: 2, monthly: 2 });
    expect(groups.at(-1)).toEqual({ value: null, others: true, daily: 51, weekly: 51, monthly: 51 });
  });
});

describe('adoption of a deployment', () => {
  it('is the share of the devices of its channel that run its bundle, since it was made', async () => {
    const app = await createApp();
    const other = await createChannel(app);
    const bundle = await registerBundle(app);
    await writeDevices(
      app,
      [
        { seen: [1, 2], bundleId: bundle.id },
        { seen: [2], bundleId: bundle.id },
        { seen: [1, 2] },
        { seen: [1], bundleId: randomUUID() },
        { seen: [1], bundleId: bundle.id, channelId: other.id },
      ],
      4,
    );
    await query(
      databaseUrl,
      `UPDATE deployments SET created_at = created_at - interval '3 days' WHERE id = $1`,
      [bundle.deploymentId],
    );
    await rollUpOnServer();
    const path = `${app.path}/insights/deployments/${bundle.deploymentId}/adoption`;
    const days = [
      { day: daysAgo(3), devices: 0, channelDevices: 0, share: null },
      { day: daysAgo(2), devices: 2, channelDevices: 3, share: 2 / 3 },
      { day: daysAgo(1), devices: 1, channelDevices: 3, share: 1 / 3 },
      { day: daysAgo(0), devices: 0, channelDevices: 0, share: null },
    ];
    expect((await app.api.get(path)).body).toEqual(days);
    expect((await app.api.get(`${path}?from=${daysAgo(29)}`)).body).toEqual(days);
    expect((await app.api.get(`${path}?from=${daysAgo(1)}`)).body).toEqual(days.slice(2));
    expect((await app.api.get(`${path}?to=${daysAgo(2)}`)).body).toEqual(days.slice(0, 2));
  });

  it('does not show deployments of other apps', async () => {
    const [app, other] = [await createApp(), await createApp()];
    const { deploymentId } = await registerBundle(other);
    const path = `${app.path}/insights/deployments`;
    expectError(await app.api.get(`${path}/${deploymentId}/adoption`), 404, 'deployment_not_found');
    expectError(await app.api.get(`${path}/nonsense/adoption`), 404, 'deployment_not_found');
  });
});

describe('insights', () => {
  let app: TestApp;
  let path: string;

  beforeAll(async () => {
    app = await createApp();
    path = `${app.path}/insights`;
  });

  const each = (search: string, api: Api = app.api) =>
    Promise.all(
      [`active-devices?${search}`, `devices?groupBy=country&${search}`, `downloads?${search}`].map((part) =>
        api.get(`${path}/${part}`),
      ),
    );

  it('are empty at first', async () => {
    const today = { day: daysAgo(0), daily: 0, weekly: 0, monthly: 0 };
    for (const search of ['', 'from=&to='])
      expect((await each(search)).map(({ status, body }) => [status, body as unknown])).toEqual([
        [200, [today]],
        [200, []],
        [200, []],
      ]);
    for (const { status, body } of await each(`to=${daysAgo(1)}`)) expect([status, body]).toEqual([200, []]);
  });

  it.each([
    '2030-02-30',
    '2030-13-01',
    '2030-1-1',
    '1969-12-31',
    'yesterday',
    '2030-01-01T00:00:00Z',
    '1e3',
    '٢٠٣٠-٠١-٠١',
  ])('refuse the day %j, which does not exist or is written otherwise', async (day) => {
    for (const response of await each(`from=${encodeURIComponent(day)}`)) expectInvalid(response, 'from');
    for (const response of await each(`to=${encodeURIComponent(day)}`)) expectInvalid(response, 'to');
  });

  it('cover 1 to 400 days at once', async () => {
    for (const response of await each('from=2030-01-02&to=2030-01-01')) expectInvalid(response, 'from');
    for (const response of await each('from=2029-01-01&to=2030-02-05')) expectInvalid(response, 'from');
    for (const { status } of await each('from=2029-01-01&to=2030-02-04')) expect(status).toBe(200);
    for (const { status } of await each('from=2030-01-01&to=2030-01-01')) expect(status).toBe(200);
    for (const response of await each('from=2030-01-01&from=2030-01-02')) expectInvalid(response, 'from');
    for (const response of await each('from=2030-01-01%00')) expectError(response, 400, 'malformed_text');
  });

  it('are grouped by what they know only', async () => {
    for (const groupBy of [
      '',
      '?groupBy=',
      '?groupBy=customId',
      '?groupBy=all',
      '?groupBy=constructor',
      '?groupBy[]=channel',
    ]) {
      expectInvalid(await app.api.get(`${path}/devices${groupBy}`), 'groupBy');
    }
    expectInvalid(await app.api.get(`${path}/downloads?bundleId=1`), 'bundleId');
  });

  it('are shown to users who may read the app', async () => {
    const { owner } = await createTenant();
    for (const response of await each('', owner.api)) expectError(response, 404, 'app_not_found');
    const viewer = await createMember(app.tenant, 'viewer');
    for (const { status } of await each('', viewer.api)) expect(status).toBe(200);
    const billing = await createMember(app.tenant, 'billing');
    for (const response of await each('', billing.api)) expectError(response, 403, 'not_authorized');
    const devices = await createToken(app.api, { permissions: ['devices:read'] });
    for (const response of await each('', devices.api)) expectError(response, 403);
    const insights = await createToken(app.api, { permissions: ['insights:read'] });
    for (const { status } of await each('', insights.api)) expect(status).toBe(200);
  });
});
