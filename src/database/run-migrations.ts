import { ConfigError, loadConfig } from '../config/load-config.js';
import { migrate } from './migrate.js';

/** `npm run migration:run`: migrates the database of `DATABASE_URL` and ends. */
try {
  const { database } = loadConfig(process.env);
  if (database.url === null) throw new ConfigError(['DATABASE_URL is required to run migrations.']);
  const names = await migrate(database.url);
  console.log(names.length === 0 ? 'The schema is up to date.' : `Migrated: ${names.join(', ')}`);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
