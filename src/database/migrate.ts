import { DataSource } from 'typeorm';
import { migrateQueue } from '../queue/pg-boss.js';
import { dataSourceOptions } from './data-source-options.js';

/** Any number that nothing else in the database uses as an advisory lock. */
const MIGRATION_LOCK = 7_316_482_015;

/**
 * Brings the schema of a database to the newest version. Safe to run from many replicas at once: they wait for each
 * other on an advisory lock.
 *
 * @param url address of the database
 * @returns names of the migrations that were run
 */
export async function migrate(url: string): Promise<string[]> {
  // Building an index, or waiting for another replica's migrations, may take longer than a statement normally may.
  const database = new DataSource(dataSourceOptions(url, 2, 0));
  await database.initialize();
  try {
    const lock = database.createQueryRunner();
    await lock.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
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
