import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createApp, type TestApp } from '../builders/app.js';
import { createTenant, type Tenant } from '../builders/identities.js';
import { eventually } from '../support/eventually.js';
import { Api } from '../support/http/api.js';
import { daysAgo, rollUp } from '../support/live-updates/insights.js';
import { OwnSite } from '../support/servers/own-site.js';

/** Enough for counting a day to take a while. */
const DEVICES = 150_000;

let site: OwnSite;
let tenant: Tenant;
let app: TestApp;

beforeAll(async () => {
  site = await OwnSite.start();
  tenant = await createTenant(site);
  app = await createApp(tenant);
  await site.query(
    `INSERT INTO devices (app_id, id, platform, app_version_code, app_version_name, os_version, plugin_version,
                          last_seen_at, seen_days)
     SELECT $1, 'device-' || n, n % 3, '10', '1.' || n % 7, '34', '8.4.3', now() - make_interval(days => n % 5), 5
       FROM generate_series(1, $2::int) AS n`,
    [app.id, DEVICES],
  );
  await site.query(`UPDATE apps SET created_at = created_at - interval '6 days' WHERE id = $1`, [app.id]);
});
afterAll(() => site.dispose());

const counting = async (): Promise<number> =>
  (
    await site.query(`SELECT FROM pg_stat_activity WHERE query LIKE '%WITH device AS (%' AND state = 'active'
      AND pid <> pg_backend_pid()`)
  ).length;

it('counts each day as a whole or not at all, whenever the server is killed, and goes on afterwards', async () => {
  for (let round = 0; round < 3; round++) {
    await site.query(`INSERT INTO queue.job (name, data) VALUES ('insights', '{}')`);
    await eventually(async () => expect(await counting()).toBeGreaterThan(0));
    // Any moment will do.
    await sleep(round * 150);
    await site.server.kill();
    await site.restart();
  }
  await eventually(async () => expect(await counting()).toBe(0));
  const halves = await site.query(
    `SELECT day FROM device_counts WHERE dimension <> 'start' GROUP BY day
     HAVING count(DISTINCT dimension) <> 8 OR sum(daily) FILTER (WHERE dimension = 'platform')
            <> sum(daily) FILTER (WHERE dimension = 'all')`,
  );
  expect(halves).toEqual([]);

  await rollUp(site);
  const api = new Api(site.origin, tenant.owner.token);
  const { body } = await api.get(`${app.path}/insights/active-devices`);
  // Of each fifth, those that were seen today and two days before, yesterday and three days ago, and so on.
  const fifth = DEVICES / 5;
  const daily = [6, 5, 4, 3, 2, 1, 0].map(
    (ago) => fifth * [0, 1, 2, 3, 4].filter((n) => ago === n || ago === n + 2).length,
  );
  expect(body).toMatchObject(
    [6, 5, 4, 3, 2, 1, 0].map((ago, index) => ({ day: daysAgo(ago), daily: daily[index] })),
  );
});

it('leaves out today when counting it exceeds the limit of a statement', async () => {
  const blocker = new pg.Client({ connectionString: site.databaseUrl });
  await blocker.connect();
  try {
    await blocker.query('BEGIN; LOCK TABLE devices IN ACCESS EXCLUSIVE MODE');
    const api = new Api(site.origin, tenant.owner.token);
    const response = api.get(`${app.path}/insights/devices?groupBy=platform`);
    const [responded] = await Promise.all([
      response,
      eventually(async () => {
        // As the limit does.
        const canceled = await site.query(
          `SELECT pg_cancel_backend(pid) FROM pg_stat_activity
            WHERE query LIKE '%WITH device AS (%' AND wait_event_type = 'Lock' AND pid <> pg_backend_pid()`,
        );
        expect(canceled).toHaveLength(1);
      }),
    ]);
    expect(responded.status).toBe(200);
    const days = (responded.body as { day: string }[]).map(({ day }) => day);
    expect(days).toEqual([6, 5, 4, 3, 2, 1].map(daysAgo));
  } finally {
    await blocker.end();
  }
});
