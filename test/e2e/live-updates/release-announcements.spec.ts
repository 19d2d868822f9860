import { isDeepStrictEqual } from 'node:util';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { dataSourceOptions } from '../../../src/database/schema/data-source-options.js';
import { Sql } from '../../../src/database/sql.js';
import { TransactionalDataSource } from '../../../src/database/transactions/transactional-data-source.js';
import { decideForDevice } from '../../../src/devices/channel-decision/device-decision.js';
import type { ReleaseDeployment, ReleaseTable } from '../../../src/devices/releases/release-table.js';
import { ReleaseTableLoader } from '../../../src/devices/releases/release-table-loader.js';
import { ReleaseTableQueries } from '../../../src/devices/releases/release-table.queries.js';
import { cloneDatabase, dropDatabase } from '../../setup/databases.js';
import { seed } from '../../setup/depth.js';
import { testEnvironment } from '../../setup/test-environment.js';
import { pick, randomOf } from '../../support/random.js';

const STEPS = 150;

/** Both readings of `a+b` are names of channels. */
const NAMES = ['one', 'two', 'three', 'a b', 'a+b'];

let url: string;
let database: TransactionalDataSource;
let loader: ReleaseTableLoader;
const clients: pg.Client[] = [];

beforeAll(async () => {
  url = await cloneDatabase(testEnvironment().templateUrl);
  database = new TransactionalDataSource({ ...dataSourceOptions(url, 4), entities: [] });
  await database.initialize();
  loader = new ReleaseTableLoader(new ReleaseTableQueries(new Sql(database)));
});
afterAll(async () => {
  await Promise.all(clients.map((client) => client.end()));
  await database.destroy();
  await dropDatabase(url);
});

async function connect(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  clients.push(client);
  return client;
}

/** One that notes what is announced. */
async function listen(): Promise<{ client: pg.Client; take: () => Promise<string[]> }> {
  const client = await connect();
  let received: string[] = [];
  client.on('notification', ({ channel }) => received.push(channel));
  await client.query('LISTEN releases; LISTEN empty_channels');
  const take = async (): Promise<string[]> => {
    await client.query('SELECT 1');
    const taken = received;
    received = [];
    return taken.sort();
  };
  return { client, take };
}

async function createApp(client: pg.Client, id: string): Promise<void> {
  await client.query(
    `WITH organization AS (INSERT INTO organizations (id, name, slug)
                          SELECT id, id, id FROM gen_random_uuid() AS id RETURNING id)
     INSERT INTO apps (id, organization_id, name, type) SELECT $1, id, 'Shop', 'capacitor' FROM organization`,
    [id],
  );
}

/** Statements about rows of the app: `$1` is the app, `$2` a row or a new id, `$3` another value. */
const STATEMENTS: readonly (readonly [
  sql: string,
  row: string | null,
  value: string | readonly unknown[],
])[] = [
  ['INSERT INTO channels (id, app_id, name, name_lower) VALUES ($2, $1, $3, $3)', null, NAMES],
  ['UPDATE channels SET name = $3, name_lower = $3 WHERE app_id = $1 AND id = $2', 'channels', NAMES],
  [
    'UPDATE channels SET paused_at = $3 WHERE app_id = $1 AND id = $2',
    'channels',
    [null, '2020-01-01T00:00:00Z'],
  ],
  ['DELETE FROM channels WHERE app_id = $1 AND id = $2 AND $3', 'channels', [true]],
  ['UPDATE apps SET default_channel_id = $2 WHERE id = $1 AND $3', 'channels', [true]],
  [
    `INSERT INTO builds (id, app_id, number, platform)
     SELECT $2, $1, 1 + coalesce(max(number), 0), $3 FROM builds WHERE app_id = $1`,
    null,
    ['web'],
  ],
  [
    'UPDATE builds SET min_android_app_version_code = $3 WHERE app_id = $1 AND id = $2',
    'builds',
    [null, '5', '20'],
  ],
  ['DELETE FROM builds WHERE app_id = $1 AND id = $2 AND $3', 'builds', [true]],
  [
    `WITH artifact AS (INSERT INTO build_artifacts (id, build_id, type, status) VALUES (gen_random_uuid(), $2, 'zip', $3)
                       RETURNING id)
     INSERT INTO bundles (id, app_id) SELECT id, $1 FROM artifact`,
    'builds',
    ['pending', 'pending', 'ready'],
  ],
  [
    `UPDATE build_artifacts SET status = $3 WHERE id = $2 AND $1::uuid IS NOT NULL`,
    'bundles',
    ['pending', 'ready'],
  ],
  ['DELETE FROM build_artifacts WHERE id = $2 AND $1::uuid IS NOT NULL AND $3', 'bundles', [true]],
  ['UPDATE bundles SET checksum = $3 WHERE app_id = $1 AND id = $2', 'bundles', ['x', 'y']],
  ['DELETE FROM bundles WHERE app_id = $1 AND id = $2 AND $3', 'bundles', [true]],
  [
    `INSERT INTO deployments (id, app_id, build_id, channel_id) VALUES (gen_random_uuid(), $1, $2, $3)`,
    'builds',
    'channels',
  ],
  ['UPDATE deployments SET rollout_percentage = $3 WHERE app_id = $1 AND id = $2', 'deployments', [0, 1]],
  ['DELETE FROM deployments WHERE app_id = $1 AND id = $2 AND $3', 'deployments', [true]],
  [
    `INSERT INTO devices (app_id, id, platform, forced_channel_id, last_seen_at) VALUES ($1, 'forced', $3, $2, now())
     ON CONFLICT (app_id, id) DO UPDATE SET forced_channel_id = excluded.forced_channel_id`,
    'channels',
    [0],
  ],
];

/** Deploys a bundle to two channels. */
async function deploy(client: pg.Client, app: string): Promise<void> {
  for (const name of ['one', 'a+b']) {
    await client.query(
      `INSERT INTO channels (id, app_id, name, name_lower) VALUES (gen_random_uuid(), $1, $2, $2)
       ON CONFLICT (app_id, name_lower) DO UPDATE SET paused_at = NULL`,
      [app, name],
    );
    await client.query(
      `WITH build AS (INSERT INTO builds (id, app_id, number, platform)
                      SELECT gen_random_uuid(), $1, 1 + coalesce(max(number), 0), 'web' FROM builds WHERE app_id = $1
                      RETURNING id),
            artifact AS (INSERT INTO build_artifacts (id, build_id, type, status)
                         SELECT gen_random_uuid(), id, 'zip', 'ready' FROM build RETURNING id),
            bundle AS (INSERT INTO bundles (id, app_id) SELECT id, $1 FROM artifact)
       INSERT INTO deployments (id, app_id, build_id, channel_id)
       SELECT gen_random_uuid(), $1, build.id, channels.id FROM build, channels
        WHERE channels.app_id = $1 AND channels.name_lower = $2`,
      [app, name],
    );
  }
}

/** What devices of all kinds get. */
function offersOf(table: ReleaseTable): (ReleaseDeployment | null)[] {
  const channels = [[], ...NAMES.map((name) => [name]), ['a b', 'a+b']];
  return channels.flatMap((channelNames) =>
    ['device', 'forced'].flatMap((deviceId) =>
      ['1', '10'].map((appVersionCode) => {
        const check = {
          deviceId,
          channelNames,
          platform: 'android',
          appVersionCode,
          pluginVersion: '8.0.0',
        } as const;
        return decideForDevice(table, check, () => new Date()).deployment;
      }),
    ),
  );
}

it('announces every change of what devices get, whatever changes', async () => {
  const random = randomOf(seed);
  const { client, take } = await listen();
  const app = randomUUID();
  await createApp(client, app);
  const ids = async (from: string): Promise<string[]> => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT id FROM ${from} WHERE app_id = $1 ORDER BY id`,
      [app],
    );
    return rows.map(({ id }) => id);
  };
  const ready = async (): Promise<Set<string>> => {
    const { rows } = await client.query<{ id: string }>(
      `SELECT bundles.id FROM bundles JOIN build_artifacts AS artifact ON artifact.id = bundles.id
        WHERE app_id = $1 AND artifact.status = 'ready'`,
      [app],
    );
    return new Set(rows.map(({ id }) => id));
  };
  let kept = await loader.load(app);
  let downloadable = await ready();
  await take();
  const counts = { announced: 0, empty: 0, silent: 0, offers: 0 };
  for (let step = 0; step < STEPS; step++) {
    const done: string[] = [];
    if (offersOf(kept as ReleaseTable).every((offer) => offer === null)) {
      await deploy(client, app);
      kept = await loader.load(app);
      downloadable = await ready();
      await take();
    }
    await client.query('BEGIN');
    try {
      for (let n = random() < 0.3 ? 2 : 1; n > 0; n--) {
        const [sql, row, values] = pick(STATEMENTS, random);
        const id = row === null ? randomUUID() : pick(await ids(row), random);
        const value = pick(typeof values === 'string' ? await ids(values) : values, random);
        if (id === undefined || value === undefined) continue;
        done.push(sql);
        await client.query(sql, [app, id, value]);
      }
      await client.query('COMMIT');
    } catch {
      // A name is taken, or a row is needed.
      await client.query('ROLLBACK');
    }
    const received = await take();
    const current = await loader.load(app);
    if (received.includes('releases')) {
      counts.announced++;
      kept = current;
      downloadable = await ready();
      continue;
    }
    if (received.includes('empty_channels')) counts.empty++;
    else counts.silent++;
    const [before, after] = [offersOf(kept as ReleaseTable), offersOf(current as ReleaseTable)];
    counts.offers += after.filter((offer) => offer !== null).length;
    const left = await ready();
    const missing = [...downloadable].filter((id) => !left.has(id));
    expect({ seed, step, done, same: isDeepStrictEqual(before, after), missing }).toEqual({
      seed,
      step,
      done,
      same: true,
      missing: [],
    });
  }
  // All of it happens.
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(0);
});

it.each([
  ['c', 'c+'],
  ['+d', 'd'],
  ['e  f', 'e++f'],
])('announces the channel %j, which hides %j or not, with its deployments', async (empty, deployed) => {
  const { client, take } = await listen();
  const app = randomUUID();
  await createApp(client, app);
  await client.query(
    `WITH channel AS (INSERT INTO channels (id, app_id, name, name_lower)
                      VALUES (gen_random_uuid(), $1, $2, $2) RETURNING id),
          build AS (INSERT INTO builds (id, app_id, number, platform)
                    VALUES (gen_random_uuid(), $1, 1, 'web') RETURNING id)
     INSERT INTO deployments (id, app_id, build_id, channel_id)
     SELECT gen_random_uuid(), $1, build.id, channel.id FROM build, channel`,
    [app, deployed],
  );
  const other = [app, empty];
  await take();
  await client.query(
    'INSERT INTO channels (id, app_id, name, name_lower) VALUES (gen_random_uuid(), $1, $2, $2)',
    other,
  );
  expect(await take()).toEqual(['releases']);
  await client.query('DELETE FROM channels WHERE app_id = $1 AND name_lower = $2', other);
  expect(await take()).toEqual(['releases']);
});

describe('a change of what is not deployed yet', () => {
  const rows = { channel: randomUUID(), build: randomUUID(), app: randomUUID() };
  const change: Record<string, string> = {
    'of a build': `UPDATE builds SET min_android_app_version_code = '5' WHERE id = '${rows.build}'`,
    'of a channel': `UPDATE channels SET paused_at = now() WHERE id = '${rows.channel}'`,
  };
  const deploy = `INSERT INTO deployments (id, app_id, build_id, channel_id)
                  VALUES (gen_random_uuid(), '${rows.app}', '${rows.build}', '${rows.channel}')`;

  /** Whether a statement waits for another transaction. */
  const waits = async (statement: Promise<unknown>): Promise<boolean> =>
    Promise.race([statement.then(() => false), sleep(300, true)]);

  beforeAll(async () => {
    const client = await connect();
    await createApp(client, rows.app);
    await client.query(
      `INSERT INTO channels (id, app_id, name, name_lower) VALUES ('${rows.channel}', '${rows.app}', 'x', 'x');
       INSERT INTO builds (id, app_id, number, platform) VALUES ('${rows.build}', '${rows.app}', 1, 'web')`,
    );
  });
  afterEach(async () => {
    await clients[0]?.query(`DELETE FROM deployments WHERE app_id = '${rows.app}'`);
  });

  it.each(Object.entries(change))(
    '%s holds up a deployment that it has not seen',
    async (_what, statement) => {
      const [changing, deploying] = [await connect(), await connect()];
      await changing.query(`BEGIN; ${statement}`);
      const deployed = deploying.query(deploy);
      expect(await waits(deployed)).toBe(true);
      await changing.query('COMMIT');
      await deployed;
    },
  );

  it.each(Object.entries(change))(
    '%s waits for a deployment, and is announced then',
    async (_what, statement) => {
      const deploying = await connect();
      const { client: changing, take } = await listen();
      await deploying.query(`BEGIN; ${deploy}`);
      const changed = changing.query(statement);
      expect(await waits(changed)).toBe(true);
      await deploying.query('COMMIT');
      await changed;
      // One of the deployment, and one of the change.
      expect(await take()).toEqual(['releases', 'releases']);
    },
  );
});
