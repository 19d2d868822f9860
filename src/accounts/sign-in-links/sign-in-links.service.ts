import { Injectable } from '@nestjs/common';
import { hashToken } from '../../common/access/api-token.js';
import { transaction } from '../../database/transactions/transaction.js';
import { AccountMailsService } from '../account-mails/account-mails.service.js';
import { EmailVerification } from '../email-verification/email-verification.service.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { newLinkSecret } from './create-sign-in-link.js';
import type { LinkPurpose } from './sign-in-link.entity.js';
import { SignInLinksQueries } from './sign-in-links.queries.js';

/** A link with its user. */
export interface FoundLink {
  readonly user: User;
  readonly purpose: LinkPurpose;
}

/** Makes and redeems links with which users set a password. The link that a start prints is of `createSignInLink`. */
@Injectable()
export class SignInLinksService {
  constructor(
    private readonly queries: SignInLinksQueries,
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
    private readonly mails: AccountMailsService,
    private readonly emailVerification: EmailVerification,
  ) {}

  /**
   * Makes a link, which works once.
   *
   * @param minutes how long it is valid
   * @returns path and query, which are known only now; `null` when the user may not have such a link: is disabled, can
   *   sign in already (`first-password`), or signs in at the OpenID provider only (`new-password`)
   */
  async create(userId: string, purpose: LinkPurpose, minutes: number): Promise<string | null> {
    const { secret, path } = newLinkSecret();
    const isMade = await this.queries.insert(userId, purpose, hashToken(secret), minutes);
    return isMade ? path : null;
  }

  /**
   * Finds the user of a link, and leaves the link unchanged: programs open links, too, to preview them.
   *
   * @param secret from the link
   * @returns `null` when the link is unknown, used or expired, or `create` would not make it now
   */
  async find(secret: string): Promise<FoundLink | null> {
    const link = await this.queries.find(hashToken(secret));
    const user = link === null ? null : await this.users.find(link.userId);
    return link === null || user === null ? null : { user, purpose: link.purpose };
  }

  /**
   * Sets the password of the link's user, which ends all links of the user; a new password also ends the sessions. Of
   * several requests at the same time, with one link or with several, one succeeds.
   *
   * @returns `null` as `find` does
   * @throws InvalidRequestError when the password breaks the rules
   * @throws ForbiddenError when the user has just been disabled
   */
  async redeem(secret: string, password: string): Promise<FoundLink | null> {
    const seen = await this.find(secret);
    if (seen === null) return null;
    const { id, email } = seen.user;
    return transaction(async () => {
      await this.users.lockEnabled(id);
      // Again: another request may have used it in the meantime.
      const link = await this.find(secret);
      if (link === null) return null;
      if (link.purpose === 'first-password') {
        const first = await this.passwords.prepare(password, email);
        if (!(await this.passwords.setFirst(id, first))) return null;
      } else {
        // The link was mailed, so the mailbox is the user's, even if another person created the account.
        await this.emailVerification.verify(link.user);
        await this.passwords.set(id, await this.passwords.prepare(password, email));
        await this.mails.send(id, 'password-changed');
      }
      await this.queries.deleteOf(id);
      return link;
    });
  }

  /** Ends a link. @param path as `create` returns it */
  delete(path: string): Promise<void> {
    return this.queries.delete(hashToken(path.slice(path.indexOf('=') + 1)));
  }

  deleteAll(userId: string): Promise<void> {
    return this.queries.deleteOf(userId);
  }
}
