import type { MigrationInterface, QueryRunner } from 'typeorm';
import { sqlFile } from './sql-file.js';

/** In the order of their dependencies. */
const FILES = [
  'audit-log.sql',
  'accounts.sql',
  'organizations.sql',
  'storage.sql',
  'apps.sql',
  'jobs.sql',
  'native-builds.sql',
  'live-updates.sql',
  'devices.sql',
  'shared.sql',
];

/** The time of this migration. Those before are the ones that it replaces. */
export const SCHEMA_TIME = 1795374642114;

/** How many migrations it replaces. */
const REPLACED = 32;

/** The last commit that has them. */
const COMMIT = '83aff0f8f62c3def99abdd0248a88059dd5d8362';

/**
 * Creates the schema. A database that ran all of the migrations that this one replaces has it already; their rows stay in
 * the table of migrations, so that servers of the former version still start.
 */
export class CreateSchema1795374642114 implements MigrationInterface {
  name = 'CreateSchema1795374642114';

  /** @throws Error when the database ran some of the replaced migrations, but not all */
  async up(queryRunner: QueryRunner): Promise<void> {
    const [row] = (await queryRunner.query(
      `SELECT count(*)::int AS former FROM migrations WHERE timestamp < ${SCHEMA_TIME}`,
    )) as [{ former: number }];
    if (row.former === REPLACED) return;
    if (row.former > 0) {
      throw new Error(
        'This database has the schema of an unreleased version, or its migration was interrupted: ' +
          `migrate it with commit ${COMMIT} first, then with this version.`,
      );
    }
    for (const file of FILES) await queryRunner.query(await sqlFile(file));
  }

  /** @throws Error always: there is no older schema */
  down(): Promise<void> {
    return Promise.reject(new Error('The first schema cannot be reverted: drop the database.'));
  }
}
