import type { FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';
import { PreconditionFailedError } from '../common/errors/app-error.js';
import { etagOf } from '../common/etags/etag.js';
import type { IfMatch } from '../common/etags/if-match.js';
import { lockOrThrow } from './rows.js';
import { transaction } from './transactions/transaction.js';

/** A condition on one row. */
interface Condition<T extends ObjectLiteral> {
  readonly where: FindOptionsWhere<T>;
  /** The ETags that the caller accepts; `undefined`: any. */
  readonly ifMatch: IfMatch | undefined;
  /** The response body that GET returns for the row. */
  readonly present: (row: T) => object | Promise<object>;
}

/**
 * Changes a row if it still is in the state that the caller knows: locks, compares and changes it in one transaction.
 * Without a condition, this is just the change.
 *
 * @throws NotFoundError when there is a condition and no row matches
 * @throws PreconditionFailedError
 */
export function changeIfMatch<T extends ObjectLiteral, R>(
  rows: Repository<T>,
  { where, ifMatch, present }: Condition<T>,
  change: () => Promise<R>,
): Promise<R> {
  if (ifMatch === undefined) return change();
  return transaction(async () => {
    const row = await lockOrThrow(rows, where);
    if (!ifMatch.includes(etagOf(JSON.stringify(await present(row))))) throw new PreconditionFailedError();
    return change();
  });
}
