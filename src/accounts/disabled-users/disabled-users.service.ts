import { Injectable } from '@nestjs/common';
import { transaction } from '../../database/transactions/transaction.js';
import { SessionCodesService } from '../session-codes/session-codes.service.js';
import { SessionsService } from '../sessions/sessions.service.js';
import { SignInLinksService } from '../sign-in-links/sign-in-links.service.js';
import { TokensService } from '../tokens/tokens.service.js';
import { UsersService } from '../users/users.service.js';

/** Disables users: they can neither sign in, in whatever way, nor use the API. */
@Injectable()
export class DisabledUsers {
  constructor(
    private readonly users: UsersService,
    private readonly sessions: SessionsService,
    private readonly tokens: TokensService,
    private readonly codes: SessionCodesService,
    private readonly links: SignInLinksService,
  ) {}

  /**
   * Disables a user and deletes everything with which the user could continue: sessions, API tokens, approved codes and
   * links. Password, second factor, identities and memberships stay. Does not look at organizations: see `UserAccess`.
   */
  async disable(userId: string): Promise<void> {
    await transaction(async () => {
      // Locks the user first: what is being made at this moment is deleted below.
      await this.users.disable(userId);
      await this.sessions.deleteAll(userId);
      await this.tokens.deleteAll(userId);
      await this.codes.deleteAll(userId);
      await this.links.deleteAll(userId);
    });
  }

  /** Lets a disabled user sign in again. What `disable` deleted stays deleted. */
  enable(userId: string): Promise<void> {
    return transaction(() => this.users.enable(userId));
  }
}
