import { Injectable } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import { SessionCodesService } from '../session-codes/session-codes.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { TwoFactorService } from '../two-factor/two-factor.service.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';

/** Gives accounts to the owners of their e-mail addresses. */
@Injectable()
export class EmailVerification {
  constructor(
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly twoFactor: TwoFactorService,
    private readonly sessions: SessionsService,
    private readonly sessionCodes: SessionCodesService,
    private readonly tokens: TokensService,
  ) {}

  /**
   * Marks the address of a user as verified. If it was not, another person may have created the account: everything that
   * lets that person in ends. Memberships stay.
   */
  async verify({ id, emailVerified }: User): Promise<void> {
    if (emailVerified) return;
    await transaction(async () => {
      await this.passwords.delete(id);
      await this.twoFactor.disable(id);
      await this.sessions.deleteAll(id);
      await this.sessionCodes.deleteAll(id);
      await this.tokens.deleteAll(id);
      await this.users.confirmEmail(id);
    });
  }
}
