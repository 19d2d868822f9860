import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `src/database/transactions/transactional-data-source.ts` replaces methods of TypeORM's query runners. Before you raise
 * the version here, check in the sources of the new one that:
 * - repositories, entity managers and query builders get every runner from `DataSource.createQueryRunner`, and release it;
 * - `PostgresQueryRunner.query` and `stream` call `connect` before each statement, and `connect` returns the client of pg;
 * - `isTransactionActive` is true from `startTransaction` until COMMIT or ROLLBACK has succeeded;
 * - `PostgresDriver.master` is the pool, of the class `driver.Pool` of the options.
 *
 * `test/e2e/common/transaction.spec.ts` and `test/faults` test what follows from that.
 */
it('is the version whose query runners were checked', () => {
  const path = join(import.meta.dirname, '../../node_modules/typeorm/package.json');
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({ version: '1.1.1' });
});
