import type { FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';
import { PreconditionFailedError } from '../common/errors/app-error.js';
import { etagOf } from '../common/http/etag.js';
import type { IfMatch } from '../common/http/if-match.js';
import { notFound } from './rows.js';
import { transaction } from './transaction.js';

/** A condition on one row. */
interface Condition<T extends ObjectLiteral> {
  readonly where: FindOptionsWhere<T>;
  /** What the caller demands; `undefined`: nothing. */
  readonly ifMatch: IfMatch | undefined;
  /** What GET shows of the row now. @param rows in the transaction, where everything has to be read */
  readonly show: (row: T, rows: Repository<T>) => object | Promise<object>;
}

/**
 * Changes a row provided that it still is as the caller knows it: the row is locked, compared and changed in one
 * transaction. Without a condition, this is just the change.
 *
 * @param change works on the rows that it gets, and may be repeated
 * @throws NotFoundError when there is a condition and no row matches
 * @throws PreconditionFailedError
 */
export function changeIfMatch<T extends ObjectLiteral, R>(
  outside: Repository<T>,
  { where, ifMatch, show }: Condition<T>,
  change: (rows: Repository<T>) => Promise<R>,
): Promise<R> {
  if (ifMatch === undefined) return change(outside);
  return transaction(outside.manager.dataSource, async (tx) => {
    const rows = tx.withRepository(outside);
    const row = await rows.findOne({ where, lock: { mode: 'pessimistic_write' } });
    if (row === null) throw notFound(rows);
    if (!ifMatch.includes(etagOf(JSON.stringify(await show(row, rows))))) throw new PreconditionFailedError();
    return change(rows);
  });
}
