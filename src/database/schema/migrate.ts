import { DataSource } from 'typeorm';
import { migrations } from '../../../migrations/migrations.js';
import { migrateQueue } from '../../queue/pg-boss.js';
import { dataSourceOptions } from './data-source-options.js';

/** An advisory lock that nothing else in the database uses. */
const MIGRATION_LOCK = 7_316_482_015;

/**
 * Migrates the schema of a database to the newest version. Safe to run from many replicas at once: they wait for each
 * other on an advisory lock.
 *
 * @param url address of the database
 * @returns the names of the migrations that it ran
 */
export async function migrate(url: string): Promise<string[]> {
  // Building an index, or waiting for another replica's migrations, may take longer than a statement normally may.
  const database = new DataSource({ ...dataSourceOptions(url, 2, 0), migrations });
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
