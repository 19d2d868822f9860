import { randomUUID } from 'node:crypto';
import type { Response } from 'supertest';
import { createApp, type TestApp } from '../../builders/app.js';
import { checkForUpdate, createDevice } from '../../builders/device.js';
import { createMember } from '../../builders/identities.js';
import { query } from '../../setup/databases.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { expectError, expectInvalid } from '../../support/http/expect-error.js';

const DEVICES = 300;

/** Devices of which each ten were seen in the same millisecond: their ids decide. */
async function insertDevices(app: TestApp): Promise<string[]> {
  const template = await createDevice(app);
  await query(
    testEnvironment().databaseUrl,
    `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version, channel_id, last_seen_at)
     SELECT app_id, 'phone-' || n, n % 2, app_version_code, app_version_name, os_version, plugin_version, channel_id,
            date_trunc('second', now()) - (n / 10) * interval '1 minute'
       FROM devices, generate_series(1, $2::int) AS n WHERE app_id = $1 AND id = $3`,
    [app.id, DEVICES, template],
  );
  await app.api.delete(`${app.path}/devices/${template}`);
  return Array.from({ length: DEVICES }, (_, n) => `phone-${n + 1}`);
}

const idsOf = ({ body }: Response): string[] => (body as { id: string }[]).map(({ id }) => id);
const linkOf = ({ headers }: Response, rel: string): string | undefined =>
  new RegExp(`<([^>]+)>; rel="${rel}"`).exec(String(headers['link']))?.[1];

describe('pages of devices by a cursor', () => {
  let app: TestApp;
  let all: readonly string[];
  let list: string;

  beforeAll(async () => {
    app = await createApp();
    all = await insertDevices(app);
    list = `${app.path}/devices`;
  });

  it('have every device once, in the order of the list, and no length', async () => {
    const listed: string[] = [];
    for (const offset of [0, 100, 200])
      listed.push(...idsOf(await app.api.get(`${list}?limit=100&offset=${offset}`)));
    const found: string[] = [];
    let pages = 0;
    for (let next: string | undefined = `${list}?cursor=first&limit=64`; next !== undefined; pages++) {
      const response: Response = await app.api.get(next);
      expect(response.status).toBe(200);
      expect(response.headers).not.toHaveProperty('x-total-count');
      expect(linkOf(response, 'first')).toBe(`${list}?cursor=first&limit=64`);
      found.push(...idsOf(response));
      next = linkOf(response, 'next');
    }
    expect(pages).toBe(5);
    expect(found).toEqual(listed);
    expect([...found].sort()).toEqual([...all].sort());
  });

  it('have every device once that does not check in meanwhile', async () => {
    const own = await createApp(app.tenant);
    const ids = await insertDevices(own);
    const touched = new Set<string>();
    const found: string[] = [];
    for (let next: string | undefined = `${own.path}/devices?cursor=first&limit=20`; next !== undefined;) {
      const response: Response = await own.api.get(next);
      found.push(...idsOf(response));
      next = linkOf(response, 'next');
      // Some that were on a page, some that were not, and a new one.
      const some = [found.at(-1)!, ids[(found.length * 7) % DEVICES]!, ids[(found.length * 3) % DEVICES]!];
      for (const deviceId of [...some, randomUUID()]) {
        touched.add(deviceId);
        await checkForUpdate(own, { deviceId });
      }
    }
    const untouched = ids.filter((id) => !touched.has(id));
    expect(untouched.length).toBeGreaterThan(200);
    expect(found.filter((id) => !touched.has(id)).sort()).toEqual(untouched.sort());
    // Those that moved to the first page are no second time on a later one.
    expect(new Set(found).size).toBe(found.length);
  });

  it('have the filters of the list, and its relations', async () => {
    const wanted = `platform=1&appChannelId=${app.defaultChannelId.toUpperCase()}&query=PHONE-1`;
    const listed = idsOf(await app.api.get(`${list}?${wanted}&limit=100`));
    const first = await app.api.get(`${list}?${wanted}&limit=40&cursor=first&relations=appChannel`);
    expect((first.body as object[])[0]).toMatchObject({ appChannel: { id: app.defaultChannelId } });
    const second = await app.api.get(linkOf(first, 'next')!);
    expect([...idsOf(first), ...idsOf(second)]).toEqual(listed);
    expect(linkOf(second, 'next')).toBeUndefined();
  });

  it('are not sent again while they are the same', async () => {
    const path = `${list}?cursor=first&limit=5`;
    const { headers } = await app.api.get(path);
    const again = async (): Promise<Response> =>
      app.api.request('get', path).set('If-None-Match', String(headers['etag']));
    const unchanged = await again();
    expect([unchanged.status, unchanged.text, unchanged.headers['link']]).toEqual([304, '', headers['link']]);
    const deviceId = await createDevice(app);
    const changed = await again();
    expect(changed.status).toBe(200);
    expect(idsOf(changed)[0]).toBe(deviceId);
    await app.api.delete(`${list}/${deviceId}`);
    expect((await again()).status).toBe(304);
  });

  it('say that there is one more, also if the page itself is the same', async () => {
    const own = await createApp(app.tenant);
    await createDevice(own, { deviceId: 'a' });
    const path = `${own.path}/devices?cursor=first&limit=1`;
    await createDevice(own, { deviceId: 'b' });
    const two = await own.api.get(path);
    expect(linkOf(two, 'next')).toBeDefined();
    await own.api.delete(`${own.path}/devices/a`);
    const one = await own.api.request('get', path).set('If-None-Match', String(two.headers['etag']));
    expect([one.status, one.body, linkOf(one, 'next')]).toEqual([200, two.body, undefined]);
  });

  it('are refused for what is no cursor, or one of another list', async () => {
    const cursorOf = (response: Response): string =>
      new URL(linkOf(response, 'next')!, 'http://host').searchParams.get('cursor')!;
    const cursor = cursorOf(await app.api.get(`${list}?cursor=first&limit=1`));
    expect(cursor).toMatch(/^[\w-]+$/);
    for (const wrong of ['1', 'FIRST', 'AA', cursor.slice(1), `${cursor}A`, `${cursor}%3D`, 'x'.repeat(2001)])
      expectInvalid(await app.api.get(`${list}?cursor=${wrong}`), 'cursor');
    expectInvalid(await app.api.get(`${list}?cursor=first&cursor=first`), 'cursor');
    for (const filter of ['platform=1', 'query=phone', 'lastSeenFrom=2026-01-01', 'id=phone-1', 'customId=a'])
      expectInvalid(await app.api.get(`${list}?cursor=${cursor}&${filter}`), 'cursor');
    expectInvalid(await app.api.get(`${list}?cursor=first&offset=0`), 'offset');
    // Without a value it is absent.
    expect((await app.api.get(`${list}?cursor=`)).headers['x-total-count']).toBe(String(DEVICES));
    // A device that is gone leaves its place.
    expect((await app.api.get(`${list}?cursor=${cursor}`)).status).toBe(200);
  });

  it('are of one app', async () => {
    const [own, stranger] = [await createApp(app.tenant), await createApp()];
    const next = linkOf(await app.api.get(`${list}?cursor=first&limit=1`), 'next')!;
    expectInvalid(await own.api.get(next.replace(app.id, own.id)), 'cursor');
    expect((await own.api.get(`${own.path}/devices?cursor=first`)).body).toEqual([]);
    expectError(await stranger.api.get(next), 404, 'app_not_found');
    const billing = await createMember(app.tenant, 'billing');
    expectError(await billing.api.get(next), 403, 'not_authorized');
  });

  it('have devices of former versions, whatever their ids', async () => {
    const own = await createApp(app.tenant);
    const template = await createDevice(own);
    const ids = ['..', 'a b/ü', '🚢'.repeat(255), "'; DROP TABLE devices;--"];
    await query(
      testEnvironment().databaseUrl,
      `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version, last_seen_at)
       SELECT app_id, each.id, platform, app_version_code, app_version_name, os_version, plugin_version, last_seen_at
         FROM devices, unnest($2::text[]) AS each (id) WHERE app_id = $1 AND devices.id = $3`,
      [own.id, ids, template],
    );
    const found: string[] = [];
    for (let next: string | undefined = `${own.path}/devices?cursor=first&limit=1`; next !== undefined;) {
      const response: Response = await own.api.get(next);
      expect(response.status).toBe(200);
      found.push(...idsOf(response).map(decodeURIComponent));
      next = linkOf(response, 'next');
    }
    expect(found.sort()).toEqual([...ids, template].sort());
  });
});
