import type { Logger } from '@nestjs/common';
import { NotFoundError } from '../errors/app-error.js';
import { StorageFailure } from '../errors/storage-failure.js';
import type { AccountTurns, AccountWork } from './account-turns.js';

/** After so many failed attempts, a file is not made. */
export const MAX_ATTEMPTS = 10;

export interface ClaimedRow extends AccountWork {
  /** With this one. */
  readonly attempts: number;
}

/**
 * Rows that say which files to make in the background: nothing is lost with a process, and replicas share the work. A
 * process claims a row for a limited time. See ADR 19.
 */
export interface ClaimableRows<Claim extends ClaimedRow> {
  /** Claims the next row that is not of these accounts, and counts the attempt. @returns `null` when none is left to claim */
  claim(except: readonly string[]): Promise<Claim | null>;

  /** Gives a claim back, as if it had not been taken. */
  release(claim: Claim): Promise<void>;

  /** Ends the attempts. */
  giveUp(claim: Claim): Promise<void>;
}

/**
 * Makes the file of each row, one at a time and accounts in turns, until no row is left to claim or the process stops. A
 * file that cannot be made is tried again when its claim has expired, by any process, up to ten times.
 *
 * @param logger reports failures
 * @param make fails immediately when `stopping` is aborted; the claim is given back then
 */
export async function makeClaimed<Claim extends ClaimedRow>(
  rows: ClaimableRows<Claim>,
  turns: AccountTurns,
  stopping: AbortSignal,
  logger: Logger,
  make: (claim: Claim) => Promise<void>,
): Promise<void> {
  while (!stopping.aborted) {
    const claim = await turns.claim((except) => rows.claim(except));
    if (claim === null) return;
    try {
      await make(claim);
    } catch (err) {
      // What the file is made of was deleted in the meantime, and the row with it.
      if (err instanceof NotFoundError) continue;
      if (stopping.aborted) return rows.release(claim);
      logger.warn({ err, ...claim }, 'A file could not be made');
      // An outage of the storage says nothing about the file.
      if (claim.attempts >= MAX_ATTEMPTS && !(err instanceof StorageFailure)) await rows.giveUp(claim);
    }
  }
}
