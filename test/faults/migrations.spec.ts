import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { cloneDatabase, dropDatabase, query } from '../setup/databases.js';
import { eventually } from '../support/eventually.js';
import { testEnvironment } from '../setup/test-environment.js';

const migrator = join(import.meta.dirname, '../../dist/src/database/schema/migrate.js');

/** Migrates in a process of its own. @returns the names of the migrations that it ran */
async function migrate(url: string): Promise<string[]> {
  const script = `
    const { migrate } = await import(process.argv[1]);
    console.log(JSON.stringify(await migrate(process.argv[2])));`;
  const args = ['--input-type=module', '-e', script, migrator, url];
  return JSON.parse((await promisify(execFile)(process.execPath, args)).stdout) as string[];
}

it('migrates a fresh database once when three processes do so together', async () => {
  const { databaseUrl } = testEnvironment();
  const name = `test_${randomBytes(6).toString('hex')}`;
  const url = new URL(databaseUrl);
  url.pathname = '/postgres';
  await query(url.href, `CREATE DATABASE ${name}`);
  url.pathname = `/${name}`;
  try {
    const results = await Promise.all([migrate(url.href), migrate(url.href), migrate(url.href)]);
    const applied = await query(databaseUrl, 'SELECT name FROM migrations ORDER BY id');
    expect(results.flat()).toEqual(applied.map((row) => row['name']));
    expect(await query(url.href, 'SELECT name FROM migrations ORDER BY id')).toEqual(applied);
  } finally {
    await dropDatabase(url.href);
  }
});

describe('of the lists of devices and bundles', () => {
  let url: string;
  let other: pg.Client;

  const indexes = (): Promise<unknown[]> =>
    query(
      url,
      `SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index
        WHERE indrelid IN ('devices'::regclass, 'bundles'::regclass) ORDER BY 1`,
    );

  beforeEach(async () => {
    url = await cloneDatabase(testEnvironment().templateUrl);
    other = new pg.Client({ connectionString: url });
    await other.connect();
  });
  afterEach(async () => {
    await other.end();
    await dropDatabase(url);
  });

  it('lets servers write, and completes an interrupted run', async () => {
    const migrated = await indexes();
    await query(
      url,
      `DELETE FROM migrations WHERE name LIKE 'ListDevicesAndBundles%';
       DROP INDEX devices_list_idx, bundles_app_id_created_at_id_idx;
       CREATE INDEX devices_app_id_last_seen_at_id_idx ON devices (app_id, last_seen_at, id);
       CREATE INDEX bundles_app_id_idx ON bundles (app_id)`,
    );
    const write = 'DELETE FROM devices WHERE app_id = gen_random_uuid()';
    await other.query(`BEGIN; ${write}`);
    const interrupted = new pg.Client({ connectionString: url, statement_timeout: 300 });
    await interrupted.connect();
    const create = interrupted.query('CREATE INDEX CONCURRENTLY devices_list_idx ON devices (app_id)');
    await expect(create).rejects.toThrow('statement timeout');
    await interrupted.end();
    expect(await indexes()).toContainEqual({ name: 'devices_list_idx', valid: false });

    const migrating = migrate(url);
    await eventually(async () => {
      const waiting = await query(
        url,
        `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`,
      );
      expect(waiting).toHaveLength(1);
    });
    const writer = new pg.Client({ connectionString: url, lock_timeout: 1000 });
    await writer.connect();
    await writer.query(write);
    await writer.end();
    await other.query('COMMIT');

    expect(await migrating).toEqual([expect.stringMatching(/^ListDevicesAndBundles/)]);
    expect(await indexes()).toEqual(migrated);
  });
});

it('keeps the builds of jobs when jobs get subjects', async () => {
  const url = await cloneDatabase(testEnvironment().templateUrl);
  const row = `INSERT INTO jobs (id, organization_id, app_id, kind, status, platform, stack, app_build_id)
               VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'build', 'queued', 'web', 'ubuntu', $1)`;
  const build = '0198f2c4-6f3a-7c55-9d0e-3f1b2a4c5d6e';
  // Down, a row without its organization and app, and up again.
  const script = `
    const [migrations, source, statement, build] = process.argv.slice(1);
    const { GiveJobsSubjects1795411180958: Migration } = await import(migrations);
    const { default: dataSource } = await import(source);
    await dataSource.initialize();
    const runner = dataSource.createQueryRunner();
    await new Migration().down(runner);
    await runner.query("SET session_replication_role = replica");
    await runner.query(statement, [build]);
    await new Migration().up(runner);
    await runner.release();
    await dataSource.destroy();`;
  const dist = join(import.meta.dirname, '../../dist');
  const files = [
    'migrations/1795411180958-give-jobs-subjects.js',
    'src/database/schema/migration-data-source.js',
  ];
  try {
    const args = ['--input-type=module', '-e', script, ...files.map((file) => join(dist, file)), row, build];
    await promisify(execFile)(process.execPath, args, { env: { ...process.env, DATABASE_URL: url } });
    expect(await query(url, 'SELECT kind, subject_id, platform, stack FROM jobs')).toEqual([
      { kind: 'build', subject_id: build, platform: 'web', stack: 'ubuntu' },
    ]);
  } finally {
    await dropDatabase(url);
  }
});
