import { Injectable } from '@nestjs/common';
import { hashToken } from '../../common/access/api-token.js';
import { sql } from '../../database/sql.js';
import { PasswordsService } from '../passwords/passwords.service.js';
import type { User } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';
import { MAY_USE_SIGN_IN_LINK } from './create-sign-in-link.js';

/** Redeems the links that `createSignInLink` makes. */
@Injectable()
export class SignInLinksService {
  constructor(
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
    const [found] = await sql<{ userId: string }>(
      `SELECT users.id AS "userId" FROM sign_in_links JOIN users ON users.id = sign_in_links.user_id
        WHERE hash = $1 AND expires_at > now() AND ${MAY_USE_SIGN_IN_LINK}`,
      [hashToken(secret)],
    );
    return found === undefined ? null : this.users.find(found.userId);
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
    await sql('DELETE FROM sign_in_links WHERE user_id = $1', [user.id]);
    return user;
  }
}
