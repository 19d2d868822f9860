import type { QueryResult } from 'typeorm';
import { transactionalDataSource } from './transactions/transactional-data-source.js';

/**
 * Runs one SQL statement, in the running transaction if there is one.
 *
 * @param parameters values of `$1`, `$2`, …
 * @returns the rows of SELECT or of RETURNING; none without it
 */
export async function sql<Row extends object = object>(
  text: string,
  parameters: readonly unknown[] = [],
): Promise<Row[]> {
  return (await run(text, parameters)).records as Row[];
}

/**
 * Runs one INSERT, UPDATE or DELETE, in the running transaction if there is one.
 *
 * @returns the number of rows that it changed
 */
export async function sqlCount(text: string, parameters: readonly unknown[] = []): Promise<number> {
  return (await run(text, parameters)).affected ?? 0;
}

async function run(text: string, parameters: readonly unknown[]): Promise<QueryResult> {
  const runner = transactionalDataSource().createQueryRunner();
  try {
    return await runner.query(text, [...parameters], true);
  } finally {
    await runner.release();
  }
}
