import { setTimeout as sleep } from 'node:timers/promises';
import { hasS3Server, withS3Server } from '../../scripts/s3-server.ts';
import { type Instance, withInstance } from '../../bench/instance.ts';
import { query } from '../setup/databases.ts';
import { s3Env } from '../setup/object-storage.ts';
import type { ServerProcess } from '../setup/server.ts';
import { StoreProxy } from '../support/s3/store-proxy.ts';
import { DatabaseProxy } from '../support/servers/database-proxy.ts';
import { FaultTraffic } from './fault-traffic.ts';
import { freePort } from '../setup/free-port.ts';

/**
 * `npm run drill:faults`: what clients notice of faults of the database, the object storage and the server, and whether
 * something is lost that was acknowledged. Exits with 1 if so, or if a request gets another error than a 503.
 * docs/testing.md has the figures.
 */

/** A server, and what it depends on. */
interface Site {
  readonly instance: Instance;
  readonly database: DatabaseProxy;
  readonly store: StoreProxy | null;
  /** The server under test. */
  server: ServerProcess;
  start(): Promise<ServerProcess>;
}

interface Fault {
  readonly what: string;
  /** How long it lasts. */
  readonly seconds: number;
  begin(site: Site): Promise<unknown> | void;
  end?(site: Site): Promise<unknown> | void;
  /** A killed server loses the check-ins of its last half second; see docs/update-checks.md. */
  readonly mayLoseCheckIns?: true;
}

/** As after a failover to a standby. */
const readOnly = async ({ instance: { databaseUrl } }: Site, value: string): Promise<void> => {
  await query(databaseUrl, `ALTER SYSTEM SET default_transaction_read_only = ${value}`);
  await query(databaseUrl, 'SELECT pg_reload_conf()');
};

const faults: readonly Fault[] = [
  { what: 'none, for comparison', seconds: 15, begin: () => undefined },
  {
    what: 'PostgreSQL refuses connections',
    seconds: 15,
    begin: ({ database }) => database.stop(),
    end: ({ database }) => database.resume(),
  },
  {
    what: 'PostgreSQL is silent',
    seconds: 30,
    begin: ({ database }) => database.freeze(),
    end: ({ database }) => database.thaw(),
  },
  {
    what: 'a firewall has forgotten all connections to PostgreSQL',
    seconds: 15,
    begin: ({ database }) => {
      database.freeze();
      database.forget();
    },
  },
  {
    what: 'PostgreSQL is read-only',
    seconds: 15,
    begin: (site) => readOnly(site, 'on'),
    end: (site) => readOnly(site, 'off'),
  },
  {
    what: 'the object storage responds with 503',
    seconds: 15,
    begin: ({ store }) => store?.failAll({ kind: 'error', status: 503, code: 'ServiceUnavailable' }),
    end: ({ store }) => store?.heal(),
  },
  {
    what: 'the object storage is silent',
    seconds: 15,
    begin: ({ store }) => store?.failAll({ kind: 'delay', ms: 15_000 }),
    end: ({ store }) => store?.heal(),
  },
  {
    what: 'the server is stopped, and started',
    seconds: 0,
    begin: async (site) => {
      await site.server.stop();
      site.server = await site.start();
    },
  },
  {
    what: 'the server is killed, and started',
    seconds: 0,
    mayLoseCheckIns: true,
    begin: async (site) => {
      await site.server.kill();
      site.server = await site.start();
    },
  },
];

/** One row of the table. */
interface Row {
  readonly fault: string;
  readonly seconds: number;
  readonly requests: number;
  readonly 'status 503': number;
  readonly 'other errors': number;
  readonly 'no response': number;
  /** In seconds. */
  readonly longest: number;
  /** Seconds after the end of the fault. */
  readonly 'works after': number;
  readonly 'lost writes': string;
  readonly 'lost check-ins': string;
}

const rows: Row[] = [];
let failed = false;
if (hasS3Server()) {
  await withS3Server((env) => {
    Object.assign(process.env, env);
    return drill(true);
  });
} else {
  console.log('There is no server with the S3 protocol: files are on the disk, which does not fail here.');
  await drill(false);
}
console.table(rows);
if (failed) process.exitCode = 1;

async function drill(onS3: boolean): Promise<void> {
  const store = onS3 ? await StoreProxy.start(process.env['S3_ENDPOINT'] ?? '') : null;
  const s3 = store === null ? {} : { ...s3Env(), STORAGE: 's3', S3_ENDPOINT: store.url, S3_PREFIX: 'drill' };
  await withInstance(
    async (instance) => {
      const database = await DatabaseProxy.start(instance.databaseUrl);
      const port = await freePort();
      const env = { DATABASE_URL: database.url, PORT: String(port) };
      const start = () => instance.startReplica(env);
      const site = { instance, database, store, server: await start(), start };
      for (const fault of faults) {
        if (store === null && fault.what.includes('object storage')) continue;
        rows.push(await suffer(site, fault));
      }
      await site.server.stop();
      await database.stop();
    },
    { env: s3 },
  );
  await store?.stop();
}

async function suffer(site: Site, { what, seconds, begin, end, mayLoseCheckIns }: Fault): Promise<Row> {
  console.log(`${what} …`);
  const traffic = new FaultTraffic(site.instance, site.server.origin);
  await traffic.start();
  await sleep(2000);
  await begin(site);
  await sleep(seconds * 1000);
  await end?.(site);
  const worksAfter = await traffic.untilServed();
  await sleep(1000);
  await traffic.stop();
  // A regular stop writes what waits in memory.
  await site.server.stop();
  site.server = await site.start();
  const { databaseUrl } = site.instance;
  const lostChannels = await countMissing(databaseUrl, 'channels', 'name', traffic.channels);
  const lostCheckIns = await countMissing(databaseUrl, 'devices', 'id', traffic.checkIns);
  const { counts, others, longest, channels, checkIns } = traffic;
  if (others.size > 0) console.log([...others].join('\n'));
  if (counts.other > 0 || lostChannels > 0 || (lostCheckIns > 0 && mayLoseCheckIns !== true)) failed = true;
  return {
    fault: what,
    seconds,
    requests: Object.values(counts).reduce((sum, count) => sum + count, 0),
    'status 503': counts['503'],
    'other errors': counts.other,
    'no response': counts.none,
    longest: Math.round(longest / 100) / 10,
    'works after': Math.round(worksAfter * 10) / 10,
    'lost writes': `${lostChannels} of ${channels.length}`,
    'lost check-ins': `${lostCheckIns} of ${checkIns.length}`,
  };
}

/** @returns how many of the values no row has in the column */
async function countMissing(
  databaseUrl: string,
  table: string,
  column: string,
  values: readonly string[],
): Promise<number> {
  const [row] = await query<{ count: number }>(
    databaseUrl,
    `SELECT count(*)::int AS count FROM unnest($1::text[]) AS value
      WHERE NOT EXISTS (SELECT FROM ${table} WHERE ${column} = value)`,
    [values],
  );
  return row?.count ?? 0;
}
