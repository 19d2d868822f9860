import { Injectable } from '@nestjs/common';
import { hashToken } from '../../common/access/api-token.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { SignInLinksQueries } from './sign-in-links.queries.js';

/** Redeems the links that `createSignInLink` makes. */
@Injectable()
export class SignInLinksService {
  constructor(
    private readonly queries: SignInLinksQueries,
    private readonly users: UsersService,
    private readonly passwords: PasswordsService,
  ) {}

  /**
   * Finds the user of a link, and leaves the link as it is: programs open links, too, to preview them.
   *
   * @param secret from the link
   * @returns `null` when the link is unknown, used or expired, or the user can sign in already
   */
  async find(secret: string): Promise<User | null> {
    const userId = await this.queries.findUserId(hashToken(secret));
    return userId === null ? null : this.users.find(userId);
  }

  /**
   * Sets the first password of the link's user, which ends all links of the user. Of several requests at the same time,
   * with one link or with several, one succeeds.
   *
   * @returns the user; `null` as `find` does
   * @throws InvalidRequestError when the password breaks the rules
   */
  async redeem(secret: string, password: string): Promise<User | null> {
    const user = await this.find(secret);
    if (user === null || !(await this.passwords.setFirst(user.id, password))) return null;
    await this.queries.deleteOf(user.id);
    return user;
  }
}
