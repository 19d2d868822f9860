import { ConfigError, loadConfig } from '../config/load-config.js';
import { migrate } from '../database/schema/migrate.js';
import { command } from './command.js';

/** `slipway migrate` */
export const migrateDatabase = command({
  options: {},
  details: 'Safe to run from many replicas at once. The embedded database needs no such step.',
  run: async () => {
    const { database } = loadConfig(process.env);
    if (database.url === null) throw new ConfigError(['DATABASE_URL is required to run migrations.']);
    const names = await migrate(database.url);
    console.log(names.length === 0 ? 'The schema is up to date.' : `Migrated: ${names.join(', ')}`);
  },
});
