import { DataSource } from 'typeorm';
import { migrations } from '../migrations/migrations.js';
import { entities } from './entities.js';
import { dataSourceOptions } from './database/schema/data-source-options.js';

/** For `npm run migration:new`, which compares the entities with the migrated database at `DATABASE_URL`. */
export default new DataSource({
  ...dataSourceOptions(process.env['DATABASE_URL'] ?? '', 2),
  entities,
  migrations,
});
