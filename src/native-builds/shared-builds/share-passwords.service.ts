import { Injectable } from '@nestjs/common';
import { verifyPassword } from '../../accounts/passwords/password-hash.js';
import { AttemptsService } from '../../accounts/sign-in-attempts/attempts.service.js';
import { networkOf } from '../../common/request-origin/networks.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import type { BuildShare } from '../build-shares/build-share.entity.js';

/** Wrong passwords without delay, for one share from one address. */
const FREE_PER_ADDRESS = 5;
/** Wrong passwords without delay, for one share from all addresses that have not opened it before. */
const FREE_PER_SHARE = 50;

/** How an attempt to open a share ended. */
export type Unlocking =
  | { readonly result: 'open' }
  | { readonly result: 'wrong' }
  | { readonly result: 'too-many'; readonly retryAfterSeconds: number };

/** Checks the passwords of shares, and slows down guessing. Call it outside of transactions: it must count failures. */
@Injectable()
export class SharePasswords {
  constructor(private readonly attempts: AttemptsService) {}

  /**
   * Whether this is the password of the share. A share without a password is open.
   *
   * @param origin where the attempt comes from: an address that has opened the share before is not limited by failures elsewhere
   */
  async verify(
    { id, passwordHash }: Pick<BuildShare, 'id' | 'passwordHash'>,
    password: string,
    origin: RequestOrigin,
  ): Promise<Unlocking> {
    if (passwordHash === null) return { result: 'open' };
    const shared = ['build-share', id];
    const own = [...shared, networkOf(origin.address)];
    const permit = await this.attempts.take(own, FREE_PER_ADDRESS);
    if (!permit.allowed) return { result: 'too-many', retryAfterSeconds: permit.retryAfterSeconds };
    if (!permit.known) {
      const elsewhere = await this.attempts.take(shared, FREE_PER_SHARE);
      if (!elsewhere.allowed) {
        await this.attempts.release(own);
        return { result: 'too-many', retryAfterSeconds: elsewhere.retryAfterSeconds };
      }
    }
    if (!(await verifyPassword(password, passwordHash))) return { result: 'wrong' };
    if (!permit.known) await this.attempts.release(shared);
    await this.attempts.succeed(own);
    return { result: 'open' };
  }
}
