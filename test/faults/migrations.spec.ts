import { execFile } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { cloneDatabase, dropDatabase, query } from '../setup/databases.js';
import { startServer } from '../setup/server.js';
import { testEnvironment } from '../setup/test-environment.js';
import { eventually } from '../support/eventually.js';
import { runProgram } from '../support/processes/programs.js';

const built = join(import.meta.dirname, '../../dist');

/** A migration that servers do not notice, as CONTRIBUTING.md describes it. */
const concurrent = `class ListApps1999000000000 {
  name = 'ListApps1999000000000';
  transaction = false;
  async up(queryRunner) {
    await createIndexConcurrently(queryRunner, 'apps_list_idx', '"apps" ("organization_id", "created_at", "id")');
    await dropIndexConcurrently(queryRunner, 'apps_organization_id_name_idx');
  }
}`;

/**
 * Migrates in a process of its own.
 *
 * @param added the class of another migration
 * @returns the names of the migrations that it ran
 */
async function migrate(url: string, added?: string): Promise<string[]> {
  const script = `
    const { migrate } = await import('${built}/src/database/schema/migrate.js');
    const { migrations } = await import('${built}/migrations/migrations.js');
    const { createIndexConcurrently, dropIndexConcurrently } = await import('${built}/migrations/concurrent-indexes.js');
    ${added === undefined ? '' : `migrations.push(${added});`}
    console.log(JSON.stringify(await migrate(process.argv[1])));`;
  const args = ['--input-type=module', '-e', script, url];
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

describe('migrates a clone', () => {
  let url: string;

  beforeEach(async () => {
    url = await cloneDatabase(testEnvironment().templateUrl);
  });
  afterEach(() => dropDatabase(url));

  /** As if migrations before `CreateSchema` had made the schema. */
  const replaceMigrations = (count: number): Promise<unknown> =>
    query(
      url,
      `DELETE FROM migrations WHERE name LIKE 'CreateSchema%';
       INSERT INTO migrations (timestamp, name)
       SELECT 1795374642113 - number, 'Former' || number FROM generate_series(0, ${count - 1}) AS number`,
    );

  it('adopts the schema of all migrations that were replaced', async () => {
    await replaceMigrations(32);
    expect(await migrate(url)).toEqual([expect.stringMatching(/^CreateSchema/)]);
    expect(await migrate(url)).toEqual([]);
    const server = await startServer({ DATABASE_URL: url });
    expect(server.log.join('\n')).not.toContain('newer than this program');
    await server.stop();
  });

  it('refuses the schema of some of the migrations that were replaced', async () => {
    await replaceMigrations(31);
    const { code, err } = await runProgram('migrate', { databaseUrl: url });
    expect([code, err]).toEqual([
      1,
      'This database has the schema of an unreleased version, or its migration was interrupted: migrate it with commit 83aff0f8f62c3def99abdd0248a88059dd5d8362 first, then with this version.\n',
    ]);
  });

  it('lets servers write while it creates an index, and completes an interrupted run', async () => {
    const other = new pg.Client({ connectionString: url });
    await other.connect();
    const write = 'DELETE FROM apps WHERE id = gen_random_uuid()';
    await other.query(`BEGIN; ${write}`);
    const interrupted = new pg.Client({ connectionString: url, statement_timeout: 300 });
    await interrupted.connect();
    const create = interrupted.query('CREATE INDEX CONCURRENTLY apps_list_idx ON apps (id)');
    await expect(create).rejects.toThrow('statement timeout');
    await interrupted.end();
    expect(await indexes()).toContainEqual({ name: 'apps_list_idx', valid: false });

    const migrating = Promise.all([migrate(url, concurrent), migrate(url, concurrent)]);
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
    await other.end();

    expect((await migrating).flat()).toEqual(['ListApps1999000000000']);
    const names = (await indexes()).map(({ name, valid }) => [name, valid]);
    expect(names).toContainEqual(['apps_list_idx', true]);
    expect(names.flat()).not.toContain('apps_organization_id_name_idx');
  });

  /** Runs a migration down and up again. @param between fills the schema that it finds */
  async function repeat(file: string, className: string, between: string): Promise<void> {
    const script = `
      const { DataSource } = await import('typeorm');
      const { ${className} } = await import('${built}/migrations/${file}.js');
      const database = await new DataSource({ type: 'postgres', url: process.argv[1] }).initialize();
      const runner = database.createQueryRunner();
      const migration = new ${className}();
      await migration.down(runner);
      await runner.query('SET session_replication_role = replica');
      await runner.query(process.argv[2]);
      await runner.query('SET session_replication_role = DEFAULT');
      await migration.up(runner);
      await runner.release();
      await database.destroy();`;
    const args = ['--input-type=module', '-e', script, url, between];
    await promisify(execFile)(process.execPath, args);
  }

  it('keeps the builds of jobs as their subjects', async () => {
    const build = '0198f2c4-6f3a-7c55-9d0e-3f1b2a4c5d6e';
    // A job without its organization and app.
    await repeat(
      '1795411180958-give-jobs-subjects',
      'GiveJobsSubjects1795411180958',
      `INSERT INTO jobs (id, organization_id, app_id, kind, status, platform, stack, app_build_id)
       VALUES (gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), 'build', 'queued', 'web', 'ubuntu', '${build}')`,
    );
    expect(await query(url, 'SELECT kind, subject_id, platform, stack FROM jobs')).toEqual([
      { kind: 'build', subject_id: build, platform: 'web', stack: 'ubuntu' },
    ]);
  });

  it('gives organizations the account of their first owner who has stayed, and the others to the installation', async () => {
    const users = { ann: randomUUID(), ben: randomUUID(), cem: randomUUID() };
    /** Members of each organization in their order. Those who have left have no rows. */
    const organizations = {
      founded: ['owner ann', 'owner ben'],
      left: ['admin ann', 'owner cem', 'owner ben'],
      ownerless: ['admin ann', 'member ben'],
      empty: [],
    };
    const members = Object.entries(organizations).flatMap(([slug, all]) =>
      all.map((member, n) => {
        const [role, user] = member.split(' ') as [string, keyof typeof users];
        // Ids say nothing about the order.
        return `INSERT INTO members (id, organization_id, user_id, role, created_at)
                SELECT gen_random_uuid(), id, '${users[user]}', '${role}', now() - interval '${9 - n} days'
                  FROM organizations WHERE slug = '${slug}'`;
      }),
    );
    const founded = Object.keys(organizations).map(
      (slug) => `INSERT INTO organizations (id, name, slug) VALUES (gen_random_uuid(), '${slug}', '${slug}')`,
    );
    await repeat(
      '1795500001100-give-organizations-accounts',
      'GiveOrganizationsAccounts1795500001100',
      [...founded, ...members].join(';'),
    );
    expect(await query(url, 'SELECT slug, account_id FROM organizations ORDER BY slug')).toEqual([
      { slug: 'empty', account_id: null },
      { slug: 'founded', account_id: users.ann },
      { slug: 'left', account_id: users.cem },
      { slug: 'ownerless', account_id: null },
    ]);
    const events = 'SELECT object_name FROM audit_events';
    expect(await query(url, events)).toEqual([]);
    await query(url, `UPDATE organizations SET name = 'Audited again' WHERE slug = 'founded'`);
    expect(await query(url, events)).toEqual([{ object_name: 'Audited again' }]);
  });

  const indexes = () =>
    query<{ name: string; valid: boolean }>(
      url,
      `SELECT indexrelid::regclass::text AS name, indisvalid AS valid FROM pg_index
        WHERE indrelid = 'apps'::regclass`,
    );
});
