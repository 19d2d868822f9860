import { DataSource } from 'typeorm';
import { dataSourceOptions } from './data-source-options.js';

/** What `npm run migration:new` compares with the entities: a migrated database at `DATABASE_URL`. */
export default new DataSource(dataSourceOptions(process.env['DATABASE_URL'] ?? '', 2));
