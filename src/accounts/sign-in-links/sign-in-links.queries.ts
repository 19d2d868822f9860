import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { MAY_USE_SIGN_IN_LINK } from './create-sign-in-link.js';

/** SQL of sign-in links. */
@Injectable()
export class SignInLinksQueries {
  constructor(private readonly sql: Sql) {}

  /** Finds the user of a link. @returns `null` when the link cannot be used */
  async findUserId(hash: string): Promise<string | null> {
    const [found] = await this.sql.query<{ userId: string }>(
      `SELECT users.id AS "userId" FROM sign_in_links JOIN users ON users.id = sign_in_links.user_id
        WHERE hash = $1 AND expires_at > now() AND ${MAY_USE_SIGN_IN_LINK}`,
      [hash],
    );
    return found?.userId ?? null;
  }

  /** Ends all links of a user. */
  async deleteOf(userId: string): Promise<void> {
    await this.sql.execute('DELETE FROM sign_in_links WHERE user_id = $1', [userId]);
  }
}
