import type { FindOptionsWhere, ObjectLiteral, Repository } from 'typeorm';
import { PreconditionFailedError } from '../common/errors/app-error.js';
import type { IfMatch } from '../common/etags/if-match.js';
import { matches, type Versioned } from '../common/etags/version.js';
import { lockOrThrow } from './rows.js';
import { transaction } from './transactions/transaction.js';

/**
 * Changes a row if it still is in the version that the caller knows: locks, compares and changes it in one transaction.
 * Without a condition, this is just the change.
 *
 * @param ifMatch the ETags that the caller accepts; `undefined`: any
 * @throws NotFoundError when there is a condition and no row matches
 * @throws PreconditionFailedError
 */
export function changeIfMatch<T extends ObjectLiteral & Versioned, R>(
  rows: Repository<T>,
  where: FindOptionsWhere<T>,
  ifMatch: IfMatch | undefined,
  change: () => Promise<R>,
): Promise<R> {
  if (ifMatch === undefined) return change();
  return transaction(async () => {
    if (!matches(ifMatch, await lockOrThrow(rows, where))) throw new PreconditionFailedError();
    return change();
  });
}
