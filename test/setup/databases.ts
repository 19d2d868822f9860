import { randomBytes } from 'node:crypto';
import pg from 'pg';

/**
 * Clones a database that nobody is connected to.
 *
 * @param templateUrl address of the database to clone
 * @returns address of the clone
 */
export async function cloneDatabase(templateUrl: string): Promise<string> {
  const clone = new URL(templateUrl);
  const template = clone.pathname.slice(1);
  clone.pathname = `/test_${randomBytes(6).toString('hex')}`;
  await onServer(templateUrl, `CREATE DATABASE ${clone.pathname.slice(1)} TEMPLATE ${template}`);
  return clone.href;
}

/** Removes a clone, whoever is still connected to it. */
export async function dropDatabase(url: string): Promise<void> {
  await onServer(url, `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}

/** Runs one query on a database. */
export async function query<T extends pg.QueryResultRow>(
  url: string,
  sql: string,
  values: unknown[] = [],
): Promise<T[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<T>(sql, values)).rows;
  } finally {
    await client.end();
  }
}

async function onServer(url: string, sql: string): Promise<void> {
  const server = new URL(url);
  server.pathname = '/postgres';
  await query(server.href, sql);
}
