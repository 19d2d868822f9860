import type { QueryRunner } from 'typeorm';

/*
 * Indexes of large tables, which are created and dropped while servers write. Only for migrations with
 * `transaction = false`, because PostgreSQL does so outside of transactions only. Safe to repeat after an interruption.
 */

/** @param definition such as `"devices" ("app_id", "id")` */
export async function createIndexConcurrently(
  queryRunner: QueryRunner,
  name: string,
  definition: string,
): Promise<void> {
  const invalid: unknown[] = await queryRunner.query(
    'SELECT FROM pg_index WHERE indexrelid = to_regclass($1) AND NOT indisvalid',
    [name],
  );
  // Left by an interrupted run: it slows writes down, and no query uses it.
  if (invalid.length > 0) await dropIndexConcurrently(queryRunner, name);
  await queryRunner.query(`CREATE INDEX CONCURRENTLY IF NOT EXISTS "${name}" ON ${definition}`);
}

/** Does nothing when there is no such index. */
export async function dropIndexConcurrently(queryRunner: QueryRunner, name: string): Promise<void> {
  await queryRunner.query(`DROP INDEX CONCURRENTLY IF EXISTS "${name}"`);
}
