import type { Pool, PoolClient } from 'pg';
import { type Db, PgBoss } from 'pg-boss';
import type { DataSource } from 'typeorm';

/** The schema of the database that holds the jobs. */
const SCHEMA = 'queue';

/**
 * A pg-boss that shares the connections of the application.
 *
 * @param schedule whether it sends the jobs of schedules when they are due
 */
export function createBoss(database: DataSource, schedule = false): PgBoss {
  const { master: pool } = database.driver as unknown as { readonly master: Pool };
  // pg-boss migrates tables that are older than itself, and leaves newer ones, from a release that is being rolled out,
  // alone.
  return new PgBoss({ db: executing(pool), schema: SCHEMA, schedule });
}

/** Runs the statements of pg-boss in the running transaction. */
export async function inRunningTransaction(database: DataSource): Promise<Db> {
  return executing((await database.createQueryRunner().connect()) as PoolClient);
}

/** Creates the tables of the queue, or brings them up to date. */
export async function migrateQueue(database: DataSource): Promise<void> {
  const boss = createBoss(database);
  await boss.start();
  await boss.stop({ graceful: false });
}

function executing(connection: Pool | PoolClient): Db {
  return { executeSql: (text, values) => connection.query(text, values as unknown[]) };
}
