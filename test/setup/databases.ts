import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * Clones a database that no one is connected to.
 *
 * @param templateUrl address of the database to clone
 * @returns address of the clone
 */
export async function cloneDatabase(templateUrl: string): Promise<string> {
  const clone = new URL(templateUrl);
  const template = clone.pathname.slice(1);
  clone.pathname = `/test_${randomBytes(6).toString('hex')}`;
  // Copied as files: otherwise each page is also written to the log, which takes several times as long.
  await onServer(
    templateUrl,
    `CREATE DATABASE ${clone.pathname.slice(1)} TEMPLATE ${template} STRATEGY FILE_COPY`,
  );
  return clone.href;
}

/** Keeps programs from connecting to a template: it could not be cloned meanwhile. */
export async function closeToPrograms(templateUrl: string): Promise<void> {
  await onServer(
    templateUrl,
    `ALTER DATABASE ${new URL(templateUrl).pathname.slice(1)} ALLOW_CONNECTIONS false`,
  );
}

/** Removes a clone, even while programs are connected to it. */
export async function dropDatabase(url: string): Promise<void> {
  await onServer(url, `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}

/** How connections of tests are called. */
export const TEST_NAME = 'test';

/** Connections to clones, which are kept for a moment: connecting costs more than most queries. */
const pools = new Map<string, pg.Pool>();

/** Runs one query on a database. */
export async function query<T extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> {
  if (isClone(url)) {
    const pool = poolOf(url);
    try {
      return (await pool.query<T>(sql, values)).rows;
    } catch (error) {
      // A test may have ended the connection while no one used it.
      if (!(error instanceof Error) || !/^(Connection terminated|terminating connection)/.test(error.message))
        throw error;
      return (await pool.query<T>(sql, values)).rows;
    }
  }
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

/** What holds the clones must be left alone. */
function isClone(url: string): boolean {
  return new URL(url).pathname.startsWith('/test_');
}

function poolOf(url: string): pg.Pool {
  let pool = pools.get(url);
  if (pool === undefined) {
    pool = new pg.Pool({
      connectionString: url,
      application_name: TEST_NAME,
      max: 4,
      idleTimeoutMillis: 5000,
      allowExitOnIdle: true,
    });
    pool.on('error', () => undefined);
    pools.set(url, pool);
  }
  return pool;
}

async function onServer(url: string, sql: string): Promise<void> {
  const server = new URL(url);
  server.pathname = '/postgres';
  await query(server.href, sql);
}
