import { Injectable } from '@nestjs/common';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { type NewSession, SessionsService } from '../sessions/sessions.service.js';
import { TwoFactorService } from '../two-factor/two-factor.service.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { AttemptsService } from './attempts.service.js';
import { networkOf } from '../../common/request-origin/networks.js';

/** Failures without delay: of one account from one address, … */
const FREE_PER_ACCOUNT = 5;
/** … of all accounts from one address that is not known to the account, … */
const FREE_PER_ADDRESS = 20;
/** … and of second factors of one account from addresses that are not known to it. */
const FREE_SECOND_FACTORS = 10;

/** How an attempt to prove who one is has ended. */
export type Proof =
  | { readonly result: 'proven'; readonly user: User }
  | { readonly result: 'refused' }
  | { readonly result: 'too-many'; readonly retryAfterSeconds: number };

/**
 * Proves who somebody is. Failures delay the next attempt of the same account from the same address, and of any
 * account from the same address. An account cannot be locked by failures elsewhere: an address from which it was
 * signed in to before answers for its own failures with this account only.
 */
@Injectable()
export class SignInService {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly twoFactor: TwoFactorService,
    private readonly attempts: AttemptsService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Checks a password. An account that does not exist answers like a wrong password, and as slowly.
   *
   * @param email in any case
   */
  async verifyPassword(email: string, password: string, origin: RequestOrigin): Promise<Proof> {
    const account = email.trim().toLowerCase();
    const user = await this.users.findByEmail(account);
    return this.prove(
      account,
      origin,
      [['address', networkOf(origin.address)], FREE_PER_ADDRESS],
      async () => ((await this.passwords.verify(user?.id ?? null, password)) ? user : null),
    );
  }

  /** Checks a code of the authenticator app, or a recovery code, of somebody whose password was right. */
  async proveSecondFactor(userId: string, code: string, origin: RequestOrigin): Promise<Proof> {
    const user = await this.users.get(userId);
    return this.prove(user.email, origin, [['second factor', userId], FREE_SECOND_FACTORS], async () =>
      (await this.twoFactor.verify(userId, code)) ? user : null,
    );
  }

  /**
   * Signs somebody in who has proven all that the account asks for. The address is known to the account from now on,
   * and its failures are forgotten.
   *
   * @param secondFactor whether a second factor was among it
   */
  async open(user: User, origin: RequestOrigin, secondFactor: boolean): Promise<NewSession> {
    await this.attempts.succeed(pairOf(user.email, origin));
    const secondFactorAt = secondFactor ? new Date() : null;
    return this.sessions.create(user.id, 'browser', origin, { method: 'password', secondFactorAt });
  }

  private async prove(
    account: string,
    origin: RequestOrigin,
    [shared, free]: [key: readonly string[], free: number],
    check: () => Promise<User | null>,
  ): Promise<Proof> {
    const pair = pairOf(account, origin);
    const permit = await this.attempts.take(pair, FREE_PER_ACCOUNT);
    if (!permit.allowed) return tooMany(permit.retryAfterSeconds);
    if (!permit.known) {
      const elsewhere = await this.attempts.take(shared, free);
      if (!elsewhere.allowed) {
        await this.attempts.release(pair);
        return tooMany(elsewhere.retryAfterSeconds);
      }
    }
    const user = await check();
    if (user === null) return { result: 'refused' };
    await this.attempts.release(pair);
    if (!permit.known) await this.attempts.release(shared);
    return { result: 'proven', user };
  }
}

function pairOf(account: string, origin: RequestOrigin): string[] {
  return ['account', account, networkOf(origin.address)];
}

function tooMany(retryAfterSeconds: number): Proof {
  return { result: 'too-many', retryAfterSeconds };
}
