import type { DataSource, EntityManager, QueryRunner } from 'typeorm';

const waiting = new WeakMap<object, (() => void)[]>();

/**
 * Does something when the transaction is committed, and not when it is rolled back. Where it is a part of the request's
 * transaction, that one counts. Only after `watchCommits`.
 */
export function afterCommit({ queryRunner }: EntityManager, work: () => void): void {
  if (queryRunner === undefined) throw new Error('This is not a transaction.');
  // A runner may be lent in disguise; its data are the same.
  waiting.set(queryRunner.data, [...(waiting.get(queryRunner.data) ?? []), work]);
}

/** Lets `afterCommit` know of the commits of a data source; once. */
export function watchCommits(database: DataSource): void {
  database.subscribers.push({
    afterTransactionCommit: ({ queryRunner }) => {
      for (const work of ended(queryRunner)) work();
    },
    afterTransactionRollback: ({ queryRunner }) => {
      ended(queryRunner);
    },
  });
}

/** What waits for the end of the transaction, if this is it and not that of a savepoint. */
function ended({ isTransactionActive, data }: QueryRunner): (() => void)[] {
  if (isTransactionActive) return [];
  const works = waiting.get(data) ?? [];
  waiting.delete(data);
  return works;
}
