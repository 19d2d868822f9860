import { setTimeout } from 'node:timers/promises';
import { DataSource, type QueryRunner } from 'typeorm';
import { SCHEMA_TIME } from '../../../migrations/1795374642114-create-schema.js';
import { migrations } from '../../../migrations/migrations.js';
import { migrateQueue } from '../../queue/pg-boss.js';
import { dataSourceOptions } from './data-source-options.js';

/** An advisory lock that nothing else in the database uses. */
const MIGRATION_LOCK = 7_316_482_015;

/** Milliseconds between two attempts to get it. */
const LOCK_PAUSE = 250;

/** How the schema of a database differs from that of this program. */
export interface SchemaDifference {
  /** Migrations that the database still needs. */
  readonly pending: readonly string[];
  /** Migrations of a newer program. */
  readonly unknown: readonly string[];
}

/**
 * Compares the schema of a database with that of this program, by the names of the migrations. Those that `CreateSchema`
 * replaces do not count.
 */
export async function compareSchema(database: DataSource): Promise<SchemaDifference> {
  const [table] = await database.query<{ exists: boolean }[]>(
    `SELECT to_regclass('migrations') IS NOT NULL AS exists`,
  );
  const rows = table?.exists
    ? await database.query<{ name: string }[]>(
        'SELECT name FROM migrations WHERE timestamp >= $1 ORDER BY timestamp',
        [SCHEMA_TIME],
      )
    : [];
  const applied = rows.map(({ name }) => name);
  const known = migrations.map(({ name }) => name);
  return {
    pending: known.filter((name) => !applied.includes(name)),
    unknown: applied.filter((name) => !known.includes(name)),
  };
}

/**
 * Migrates the schema of a database to the newest version. Safe to run from many replicas at once: they wait for each
 * other on an advisory lock.
 *
 * @param url address of the database
 * @returns the names of the migrations that it ran
 */
export async function migrate(url: string): Promise<string[]> {
  // Building an index may take longer than a statement normally may.
  const database = new DataSource({ ...dataSourceOptions(url, 2, 0), migrations });
  await database.initialize();
  try {
    const lock = database.createQueryRunner();
    await acquire(lock);
    try {
      const names = (await database.runMigrations()).map((migration) => migration.name);
      await migrateQueue(database);
      return names;
    } finally {
      await lock.query('SELECT pg_advisory_unlock($1)', [MIGRATION_LOCK]);
      await lock.release();
    }
  } finally {
    await database.destroy();
  }
}

/**
 * Waits between statements, not in one: a statement that waits has a snapshot, and `CREATE INDEX CONCURRENTLY` of the
 * replica with the lock waits for all snapshots.
 */
async function acquire(lock: QueryRunner): Promise<void> {
  const attempt = async (): Promise<boolean> => {
    const rows = (await lock.query('SELECT pg_try_advisory_lock($1) AS acquired', [MIGRATION_LOCK])) as {
      acquired: boolean;
    }[];
    return rows[0]?.acquired === true;
  };
  while (!(await attempt())) await setTimeout(LOCK_PAUSE);
}
