import { globSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DataSource } from 'typeorm';
import type { EmbeddedPostgres } from '../../src/embedded-postgres/embedded-postgres.js';
import { builtDatabase } from '../setup/built.js';
import { built } from './built-app.js';

describe('migrations', () => {
  let folder: string;
  let postgres: EmbeddedPostgres;
  let database: DataSource;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'slipway-migrations-'));
    const { migrate, startEmbeddedPostgres } = await builtDatabase();
    postgres = await startEmbeddedPostgres({ dataDir: folder, settings: { fsync: 'off' } });
    await migrate(postgres.url);
    const { dataSourceOptions } = await built<
      typeof import('../../src/database/schema/data-source-options.js')
    >('database/schema/data-source-options.js');
    const { entities } = await built<typeof import('../../src/entities.js')>('entities.js');
    database = await new DataSource({ ...dataSourceOptions(postgres.url, 2), entities }).initialize();
  });

  afterAll(async () => {
    await database.destroy();
    await postgres.stop();
    const { removeEmbeddedPostgresData } = await builtDatabase();
    await removeEmbeddedPostgresData(folder);
    await rm(folder, { recursive: true, force: true });
  });

  it('make the schema that the entities describe (npm run migration:new)', async () => {
    expect(database.entityMetadatas.length).toBeGreaterThan(10);
    const { upQueries } = await database.driver.createSchemaBuilder().log();
    expect(upQueries.map(({ query }) => query)).toEqual([]);
  });

  it('make the check constraints that the entities describe', async () => {
    const definitions = `SELECT conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
                          WHERE contype = 'c' AND conrelid = $1::regclass AND conname = $2`;
    for (const { tableName, checks } of database.entityMetadatas) {
      for (const { name = '', expression } of checks) {
        const [migrated] = await database.query<unknown[]>(definitions, [tableName, name]);
        await database.query(`ALTER TABLE ${tableName} DROP CONSTRAINT IF EXISTS ${name}`);
        await database.query(`ALTER TABLE ${tableName} ADD CONSTRAINT ${name} CHECK (${expression})`);
        const [described] = await database.query<unknown[]>(definitions, [tableName, name]);
        expect(migrated).toEqual(described);
      }
    }
  });

  it('and entities are listed in migrations.ts and entities.ts', async () => {
    const { migrations } = await built<typeof import('../../migrations/migrations.js')>(
      '../migrations/migrations.js',
    );
    const root = join(import.meta.dirname, '../..');
    const files = globSync('migrations/[0-9]*.ts', { cwd: root });
    expect(migrations.map(({ name }) => name)).toEqual(files.sort().map(classNameOf));
    const declared = globSync('src/**/*.entity.ts', { cwd: root }).flatMap((file) => {
      const source = readFileSync(join(root, file), 'utf8');
      return [...source.matchAll(/^@Entity[^]*?^export class (\w+)/gm)].map(([, name]) => name);
    });
    expect(database.entityMetadatas.map(({ name }) => name).sort()).toEqual(declared.sort());
  });

  it('are done once', async () => {
    const { migrate } = await builtDatabase();
    expect(await migrate(postgres.url)).toEqual([]);
  });

  it('leave no foreign key without an index, which deletions would search for', async () => {
    const rows = await database.query<{ key: string }[]>(
      `SELECT conname AS key FROM pg_constraint AS key
        WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND NOT EXISTS (
              SELECT FROM pg_index WHERE indrelid = key.conrelid AND indkey[0] = key.conkey[1])`,
    );
    expect(rows.map(({ key }) => key)).toEqual([]);
  });
});

/** Such as `CreateSchema1795374642114` for `migrations/1795374642114-create-schema.ts`. */
function classNameOf(path: string): string {
  const [time, ...words] = basename(path, '.ts').split('-');
  return words.map((word) => word.replace(/^./, (letter) => letter.toUpperCase())).join('') + time;
}
