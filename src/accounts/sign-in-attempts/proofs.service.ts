import { Injectable } from '@nestjs/common';
import { networkOf } from '../../common/request-origin/networks.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import type { User } from '../users/user.entity.js';
import { AttemptsService } from './attempts.service.js';
import type { Proof } from './proof.js';

/** Failures without delay, of one account from one address. */
const FREE_PER_ACCOUNT = 5;

/** A limit on failures from addresses that are not known to the account. */
export interface SharedLimit {
  /** What the failures are counted by. */
  readonly key: readonly string[];
  /** Failures without delay. */
  readonly free: number;
}

/**
 * Counts attempts to prove an identity. Failures delay the next attempt for the same account from the same address,
 * and the next one under each shared limit. Failures elsewhere cannot lock an account: the shared limits do not apply
 * to an address from which the account has signed in before.
 */
@Injectable()
export class ProofsService {
  constructor(private readonly attempts: AttemptsService) {}

  /**
   * Runs a check unless earlier failures forbid it.
   *
   * @param account e-mail address in lower case; an account with it need not exist
   * @param check returns the user, or `null` when the password or code is wrong
   */
  async prove(
    account: string,
    origin: RequestOrigin,
    shared: readonly SharedLimit[],
    check: () => Promise<User | null>,
  ): Promise<Proof> {
    const own = keyOf(account, origin);
    const permit = await this.attempts.take(own, FREE_PER_ACCOUNT);
    if (!permit.allowed) return { result: 'too-many', retryAfterSeconds: permit.retryAfterSeconds };
    const taken: (readonly string[])[] = [own];
    for (const { key, free } of permit.known ? [] : shared) {
      const elsewhere = await this.attempts.take(key, free);
      if (!elsewhere.allowed) {
        await this.release(taken);
        return { result: 'too-many', retryAfterSeconds: elsewhere.retryAfterSeconds };
      }
      taken.push(key);
    }
    const user = await check();
    if (user === null) return { result: 'refused' };
    await this.release(taken);
    return { result: 'proven', user };
  }

  private async release(keys: readonly (readonly string[])[]): Promise<void> {
    for (const key of keys) await this.attempts.release(key);
  }

  /**
   * Records a complete sign-in: the address is known to the account from now on, and its failures are dropped.
   *
   * @returns whether the address was known before
   */
  succeed(account: string, origin: RequestOrigin): Promise<boolean> {
    return this.attempts.succeed(keyOf(account, origin));
  }
}

function keyOf(account: string, origin: RequestOrigin): string[] {
  return ['account', account, networkOf(origin.address)];
}
