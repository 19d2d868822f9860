import { Injectable } from '@nestjs/common';
import { databaseNow } from '../../common/database-clock.js';
import type { RequestOrigin } from '../../common/request-origin/request-origin.js';
import { transaction } from '../../database/transactions/transaction.js';
import { type NewSession, SessionsService } from '../sessions/sessions.service.js';
import { SignInNotices } from '../account-mails/sign-in-notices.service.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { UsersService } from '../users/users.service.js';
import type { User } from '../users/user.entity.js';

/** Signs users in with the passwords that Slipway keeps. */
@Injectable()
export class SignInService {
  constructor(
    private readonly notices: SignInNotices,
    private readonly sessions: SessionsService,
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
  ) {}

  /**
   * Signs in a user who has proved everything that the account requires.
   *
   * @param secondFactor whether a second factor was among it
   * @throws ForbiddenError when the user is disabled
   */
  open(user: User, origin: RequestOrigin, secondFactor: boolean): Promise<NewSession> {
    const provedAt = databaseNow();
    const signIn = { method: 'password', secondFactorAt: secondFactor ? provedAt : null, provedAt } as const;
    return transaction(async () => {
      await this.notices.record(user, origin);
      return this.sessions.create(user.id, 'browser', origin, signIn);
    });
  }

  /**
   * As `open`, for a user whose password was verified some time ago.
   *
   * @param passwordId of `PasswordsService.verify`
   * @returns `null` when the password has changed in the meantime
   */
  openWith(
    passwordId: string,
    user: User,
    origin: RequestOrigin,
    secondFactor: boolean,
  ): Promise<NewSession | null> {
    return transaction(async () => {
      // In this order, as changes of passwords by a link do.
      await this.users.lockEnabled(user.id);
      if (!(await this.passwords.isCurrent(user.id, passwordId))) return null;
      return this.open(user, origin, secondFactor);
    });
  }
}
