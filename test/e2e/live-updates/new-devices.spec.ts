import { randomUUID } from 'node:crypto';
import { createApp, type TestApp } from '../../builders/app.js';
import { createTenant, type Tenant } from '../../builders/identities.js';
import { eventually } from '../../support/eventually.js';
import { Api } from '../../support/http/api.js';
import { OwnSite } from '../../support/servers/own-site.js';

let site: OwnSite;
let tenant: Tenant;
let app: TestApp;

const LIMITED = {
  TRUST_PROXY: 'loopback',
  NEW_DEVICES_PER_APP: '20',
  NEW_DEVICES_PER_NETWORK: '5',
  MAX_DEVICES_PER_APP: '30',
};

beforeAll(async () => {
  site = await OwnSite.start(LIMITED);
  tenant = await createTenant(site);
});
afterAll(() => site.dispose());
beforeEach(async () => {
  // The counts start again with the process.
  await site.restart(LIMITED);
  tenant = { ...tenant, owner: { ...tenant.owner, api: new Api(site.origin, tenant.owner.token) } };
  app = await createApp(tenant);
});

/** Update checks of as many devices, each from the next address, and the statuses of their responses. */
async function check(
  devices: readonly string[],
  addressOf: ((index: number) => string) | null,
  of = app,
): Promise<Set<number>> {
  const responses = await Promise.all(
    devices.map((deviceId, index) => {
      const path = `${of.path}/bundles/latest?platform=0&appVersionCode=1&deviceId=${deviceId}`;
      const request = new Api(site.origin, null).request('get', path);
      return addressOf === null ? request : request.set('X-Forwarded-For', addressOf(index));
    }),
  );
  return new Set(responses.map(({ status }) => status));
}

const ids = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

async function recorded(of = app): Promise<string[]> {
  const api = new Api(site.origin, tenant.owner.token);
  const { body } = await api.get(`${of.path}/devices?limit=100`);
  return (body as { id: string }[]).map(({ id }) => id);
}

const everyNetwork = (index: number): string => `198.51.${index}.7`;

describe('new devices', () => {
  it('of one network are recorded up to the limit, and all get their response', async () => {
    expect(await check(ids(12), (index) => `203.0.113.${index}`)).toEqual(new Set([404]));
    expect(await recorded()).toHaveLength(5);
    // Another app does not help, another network does.
    const other = await createApp(tenant);
    await check(ids(3), () => '203.0.113.200', other);
    expect(await recorded(other)).toHaveLength(0);
    await check(ids(3), () => '203.0.112.1', other);
    expect(await recorded(other)).toHaveLength(3);
  });

  it('of one IPv6 network of 48 bits share a limit', async () => {
    await check(ids(9), (index) => `2001:db8:1:${index}::1`);
    expect(await recorded()).toHaveLength(5);
    await check(ids(2), (index) => `2001:db8:2:${index}::1`);
    expect(await recorded()).toHaveLength(7);
  });

  it('are limited by app, whatever their networks; devices that are known are not', async () => {
    const known = ids(20);
    await check(known, everyNetwork);
    expect(new Set(await recorded())).toEqual(new Set(known));
    expect(await check(ids(10), (index) => `198.18.${index}.1`)).toEqual(new Set([404]));
    expect(await recorded()).toHaveLength(20);
    await site.query(`UPDATE devices SET last_seen_at = now() - interval '9 days' WHERE app_id = $1`, [
      app.id,
    ]);
    await check([...ids(5), ...known], () => '203.0.113.1');
    expect(new Set(await recorded())).toEqual(new Set(known));
    const [{ count } = { count: 0 }] = await site.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM devices WHERE app_id = $1 AND last_seen_at > now() - interval '1 day'`,
      [app.id],
    );
    expect(count).toBe(20);
  });

  it('are not recorded in an app that has as many devices as it may have', async () => {
    await site.query(
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                            last_seen_at)
       SELECT $1, 'device-' || n, 0, '1', '1', '1', '1', now() FROM generate_series(1, 29) AS n`,
      [app.id],
    );
    // They are counted in the background, from the first new one on.
    await eventually(async () => {
      const before = (await recorded()).length;
      expect(await check(ids(1), everyNetwork)).toEqual(new Set([404]));
      expect(await recorded()).toHaveLength(before);
    });
    const all = (await recorded()).length;
    expect(all).toBeLessThan(35);
    await check(['device-1', ...ids(3)], everyNetwork);
    expect(await recorded()).toHaveLength(all);
  });

  it('are logged once an hour when they are not recorded, without an address', async () => {
    for (let turn = 0; turn < 3; turn++) {
      await check(ids(9), () => '203.0.113.9');
      await recorded();
    }
    const lines = site.server.log.filter((line) => line.includes('New devices are not recorded'));
    expect(lines).toHaveLength(1);
    expect(lines[0]).toContain('"reason":"network_hour"');
    expect(site.server.log.join('\n')).not.toContain('203.0.113');
  });

  it('are not limited by network when the address of the client is unknown, with a warning', async () => {
    await site.restart({ ...LIMITED, TRUST_PROXY: 'false' });
    await check(ids(12), () => '203.0.113.1');
    expect(await recorded()).toHaveLength(12);
    await check(ids(3), null);
    expect(await recorded()).toHaveLength(15);
    expect(site.server.log.filter((line) => line.includes('TRUST_PROXY'))).toHaveLength(1);
  });

  it('are not limited where the limit is 0', async () => {
    await site.restart({
      ...LIMITED,
      NEW_DEVICES_PER_APP: '0',
      NEW_DEVICES_PER_NETWORK: '0',
      MAX_DEVICES_PER_APP: '0',
    });
    await check(ids(40), () => '203.0.113.1');
    expect(await recorded()).toHaveLength(40);
  });
});
