import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtDatabase } from '../test/setup/built.ts';
import { writeEntityList, writeMigrationList } from './write-lists.ts';

/**
 * `npm run migration:new -- add-rollout-to-deployments`: writes what the entities have and the migrations lack to
 * `migrations/<time>-<name>.ts`, by comparing the entities with a fresh, migrated database. Also writes the lists
 * `src/entities.ts` and `migrations/migrations.ts`. Read the SQL before you commit it: it can drop a column to change its
 * type.
 */
const name = process.argv[2];
if (name === undefined || !/^[a-z0-9-]+$/.test(name)) {
  console.error('Usage: npm run migration:new -- <name-in-kebab-case>');
  process.exit(1);
}
const root = join(import.meta.dirname, '..');
const run = (command: string, args: string[], env: NodeJS.ProcessEnv = process.env): void => {
  const { status } = spawnSync(command, args, { cwd: root, env, stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
};

await writeEntityList(root);
run('npm', ['run', '--silent', 'build']);
const { migrate, removeEmbeddedPostgresData, startEmbeddedPostgres } = await builtDatabase();
const dataSource = 'dist/src/migration-data-source.js';
const dataDir = await mkdtemp(join(tmpdir(), 'slipway-migration-'));
const database = await startEmbeddedPostgres({ dataDir, settings: { fsync: 'off' } });
try {
  await migrate(database.url);
  run(
    'npx',
    ['typeorm', 'migration:generate', '--pretty', '--dataSource', dataSource, `migrations/${name}`],
    { ...process.env, DATABASE_URL: database.url },
  );
  await writeMigrationList(root);
  run('npx', ['prettier', '--write', 'migrations', 'src/entities.ts']);
} finally {
  await database.stop();
  await removeEmbeddedPostgresData(dataDir);
  await rm(dataDir, { recursive: true, force: true });
}
