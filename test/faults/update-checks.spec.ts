import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createApp, type TestApp } from '../builders/app.js';
import { registerBundle } from '../builders/bundle.js';
import { createTenant } from '../builders/identities.js';
import { uploadBundle } from '../builders/publication.js';
import type { ServerProcess } from '../setup/server.js';
import { rawGet } from '../support/devices/raw-get.js';
import { eventually } from '../support/eventually.js';
import { DatabaseProxy } from '../support/servers/database-proxy.js';
import { OwnSite } from '../support/servers/own-site.js';

const sources = join(import.meta.dirname, '../../src');

let proxy: DatabaseProxy;
let site: OwnSite;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start({ DEVICE_BUFFER_SIZE: '1000' }, async (url) => {
    proxy = await DatabaseProxy.start(url);
    return proxy.url;
  });
  app = await createApp(await createTenant(site));
  await registerBundle(app);
});
afterAll(async () => {
  await site.dispose();
  await proxy.stop();
});

/** The bundle that a server offers; `null`: none. */
async function offered(of: TestApp, deviceId?: string, origin = site.origin): Promise<string | null> {
  const query = deviceId === undefined ? '' : `&deviceId=${deviceId}`;
  const answer = await rawGet(origin, `${of.path}/bundles/latest?platform=0${query}`);
  const { bundleId, code } = JSON.parse(answer.body.toString()) as { bundleId?: string; code?: string };
  if (bundleId === undefined) expect(code).toBe('no_update');
  return bundleId ?? null;
}

const devicesOf = async (of: TestApp): Promise<number> => {
  const rows = await site.query('SELECT 1 AS one FROM devices WHERE app_id = $1', [of.id]);
  return rows.length;
};

const manyIds = (count: number): string[] => Array.from({ length: count }, () => randomUUID());

/** What a statement about releases or devices mentions. */
const STATEMENTS = /(FROM|JOIN|INTO) (apps|channels|deployments|builds|bundles|devices)\b/g;

describe('a warm check', () => {
  it('asks the database for nothing', async () => {
    // Once what was changed before has arrived.
    await eventually(async () => {
      const sent = proxy.record();
      for (let n = 0; n < 20; n++) await Promise.all(manyIds(50).map(() => offered(app)));
      expect(sent().match(STATEMENTS)).toBeNull();
    });
  });

  it('has its device written with many others, later', async () => {
    const other = await createApp(app.tenant);
    await offered(other);
    const sent = proxy.record();
    const ids = manyIds(400);
    await Promise.all(ids.map((id) => offered(other, id)));
    await eventually(async () => expect(await devicesOf(other)).toBe(400));
    const inserts = sent().match(/INSERT INTO devices/g) ?? [];
    expect(inserts.length).toBeLessThan(20);
  });

  it('stays warm while downloads are counted', async () => {
    const own = await createApp(app.tenant);
    const { id, path } = await uploadBundle(own);
    await rawGet(site.origin, `${path}/download`);
    await eventually(async () => {
      const counted = await site.query(
        'SELECT 1 FROM build_artifacts WHERE id = $1 AND total_downloads > 0',
        [id],
      );
      expect(counted).toHaveLength(1);
    });
    await offered(own);
    const sent = proxy.record();
    await site.query('UPDATE build_artifacts SET total_downloads = total_downloads + 1 WHERE id = $1', [id]);
    // Notifications arrive in order.
    await site.query("SELECT pg_notify('releases', $1)", [randomUUID()]);
    await sleep(500);
    expect(await offered(own)).toBe(id);
    expect(sent().match(/FROM channels WHERE app_id/g)).toBeNull();
  });

  it('costs nothing more for an app that does not exist', async () => {
    const sent = proxy.record();
    const answers = await Promise.all(
      manyIds(300).map((id) => rawGet(site.origin, `/v1/apps/${id}/bundles/latest?platform=0`)),
    );
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
    expect(sent().match(STATEMENTS)).toBeNull();
  });
});

describe('a change', () => {
  let other: ServerProcess;

  beforeAll(async () => {
    other = await OwnSite.beside(site);
  });
  afterAll(() => other.stop());

  const cutListeners = (): Promise<unknown> =>
    site.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE application_name = 'slipway-listen' AND datname = current_database()`,
    );

  it.each([
    ['reaches all servers', async () => undefined],
    ['reaches all servers also when their notifications are cut off', cutListeners],
  ])('%s', async (_what, disturb) => {
    const origins = [site.origin, other.origin];
    const expectEverywhere = (bundleId: string | null): Promise<void> =>
      eventually(async () => {
        const answers = await Promise.all(origins.map((origin) => offered(app, 'device', origin)));
        expect(answers).toEqual(origins.map(() => bundleId));
      }, 5000);
    const { id } = await registerBundle(app);
    await expectEverywhere(id);
    await disturb();
    const next = await registerBundle(app);
    // On the server that made it, it holds at once.
    expect(await offered(app, 'device')).toBe(next.id);
    await expectEverywhere(next.id);
    const pause = `${app.path}/channels/${app.defaultChannelId}`;
    await app.api.post(`${pause}/pause`);
    expect(await offered(app)).toBeNull();
    await expectEverywhere(null);
    await app.api.post(`${pause}/resume`);
    await expectEverywhere(next.id);
    const channel = await app.api.post(`${app.path}/channels`, { name: randomUUID() });
    await app.api.get(`${app.path}/devices/device`);
    await app.api.patch(`${app.path}/devices/device`, {
      forcedAppChannelId: (channel.body as { id: string }).id,
    });
    await expectEverywhere(null);
    expect((await app.api.delete(`${app.path}/devices/device`)).status).toBe(204);
    await expectEverywhere(next.id);
    await app.api.get(`${app.path}/devices`);
    expect((await app.api.delete(`${app.path}/bundles/${next.id}`)).status).toBe(204);
    await expectEverywhere(id);
  });

  it('of roll-backs reaches all servers, and makes none load releases again', async () => {
    const own = await createApp(app.tenant);
    const older = await registerBundle(own);
    const { id, path } = await registerBundle(own);
    const ids = manyIds(20);
    const [device = '', ...others] = ids;
    const origins = [site.origin, other.origin];
    await Promise.all(ids.flatMap((each) => origins.map((origin) => offered(own, each, origin))));
    // The notifications of the new bundles have arrived when the tables stay.
    await eventually(async () => {
      const sentMeanwhile = proxy.record();
      await sleep(200);
      await Promise.all(origins.map((origin) => offered(own, device, origin)));
      expect(sentMeanwhile()).not.toMatch(/FROM (channels|apps)\b/);
    });
    const sent = proxy.record();
    for (let n = 0; n < 2; n++) {
      for (const running of [`&bundleId=${id}`, ''])
        await Promise.all(ids.map((each) => offered(own, `${each}${running}`)));
    }
    // On the server that counts, it holds as soon as it is written.
    await eventually(async () => expect(await offered(own, device)).toBe(older.id));
    const expectOffers = (expected: readonly (string | null)[]): Promise<void> =>
      eventually(async () => {
        for (const origin of origins)
          expect(await Promise.all(ids.map((each) => offered(own, each, origin)))).toEqual(expected);
      }, 5000);
    await expectOffers(ids.map(() => older.id));
    expect(sent().match(/FROM (channels|apps)\b/g)).toBeNull();
    await own.api.delete(`${own.path}/devices/${device}/blocked-bundles/${id}`);
    expect(await offered(own, device)).toBe(id);
    await expectOffers([id, ...others.map(() => older.id)]);
    // What is counted survives the loss of memory.
    await cutListeners();
    await expectOffers([id, ...others.map(() => older.id)]);
    await own.api.delete(`${path}/blocked-devices`);
    await expectOffers(ids.map(() => id));
  });

  it('of a device that is forgotten holds for its next check, also without notifications', async () => {
    const own = await createApp(app.tenant);
    const older = await registerBundle(own);
    const { id } = await registerBundle(own);
    const device = randomUUID();
    for (let n = 0; n < 2; n++)
      for (const running of [`&bundleId=${id}`, '']) await offered(own, `${device}${running}`);
    await eventually(async () => expect(await offered(own, device)).toBe(older.id));
    await cutListeners();
    // Loads the table again.
    expect(await offered(own, device)).toBe(older.id);
    expect((await own.api.delete(`${own.path}/devices/${device}`)).status).toBe(204);
    expect(await offered(own, device)).toBe(id);
  });

  it('of every table that decides is announced by the database', async () => {
    const reads = await readFile(join(sources, 'devices/releases/release-table.queries.ts'), 'utf8');
    const tables = new Set([...reads.matchAll(/\b(?:FROM|JOIN) ([a-z_]+)/g)].map(([, table]) => table));
    // The files of a bundle do not change after its publication, which is announced.
    expect(tables.delete('bundle_files')).toBe(true);
    const announced = await site.query<{ table: string }>(
      `SELECT tgrelid::regclass::text AS table FROM pg_trigger
        WHERE tgname LIKE 'announce\\_%' AND tgname NOT IN ('announce_jobs', 'announce_inbox')`,
    );
    expect(tables.size).toBeGreaterThan(5);
    expect(new Set(announced.map(({ table }) => table))).toEqual(tables);
  });

  it('by hand in the database reaches them, too', async () => {
    const own = await createApp(app.tenant);
    const { id } = await registerBundle(own);
    expect(await offered(own)).toBe(id);
    await site.query('DELETE FROM apps WHERE id = $1', [own.id]);
    await eventually(async () => {
      const answer = await rawGet(other.origin, `${own.path}/bundles/latest?platform=0`);
      expect(answer.body.toString()).toContain('app_not_found');
    });
  });
});

describe('a server that is stopped', () => {
  it('writes the devices that were seen before it ends', async () => {
    await site.resume();
    const own = await createApp(await createTenant(site));
    await Promise.all(manyIds(300).map((id) => offered(own, id)));
    expect(await site.server.stop()).toBe(0);
    expect(await devicesOf(own)).toBe(300);
  });

  it('loads each app once when all are asked for at once after its restart', async () => {
    const rows = await site.query<{ id: string }>(
      `WITH app AS (
         INSERT INTO apps (id, organization_id, name, type)
         SELECT gen_random_uuid(), $1, 'App ' || n, 'capacitor' FROM generate_series(1, 1000) AS n RETURNING id
       ) SELECT id FROM app`,
      [app.tenant.organizationId],
    );
    await site.restart();
    const sent = proxy.record();
    const answers = await Promise.all(
      rows
        .flatMap(({ id }) => [id, id, id])
        .map((id) => rawGet(site.origin, `/v1/apps/${id}/bundles/latest?platform=0&deviceId=${id}`)),
    );
    const messages = answers.map(({ body }) => (JSON.parse(body.toString()) as { message: string }).message);
    expect(new Set(messages)).toEqual(new Set(['No update available: the app has no default channel.']));
    const loads = sent().match(/FROM channels WHERE app_id/g) ?? [];
    expect(loads.length).toBeLessThan(400);
  });
});

describe('devices that were seen', () => {
  it('never take more room than they may, and never hold up an answer, while the database is busy', async () => {
    const tenant = await createTenant(site);
    const own = await createApp(tenant);
    await registerBundle(own);
    const blocker = new pg.Client({ connectionString: site.databaseUrl });
    await blocker.connect();
    try {
      await blocker.query('BEGIN; LOCK TABLE devices IN EXCLUSIVE MODE');
      for (let n = 0; n < 6; n++) {
        const answers = await Promise.all(manyIds(500).map((id) => offered(own, id)));
        expect(answers).not.toContain(null);
      }
      await blocker.query('COMMIT');
    } finally {
      await blocker.end();
    }
    await eventually(() =>
      expect(site.server.log.some((line) => line.includes('were dropped: there were too many'))).toBe(true),
    );
    // Those that were being written, and those that had room.
    await eventually(async () => expect(await devicesOf(own)).toBeGreaterThan(900));
    expect(await devicesOf(own)).toBeLessThan(3000);
  });
});
