import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Sql } from '../../database/sql.js';
import { MAY_SET_FIRST_PASSWORD, MAY_SET_NEW_PASSWORD } from './link-conditions.js';
import type { LinkPurpose } from './sign-in-link.entity.js';

export interface UsableLink {
  readonly userId: string;
  readonly purpose: LinkPurpose;
}

@Injectable()
export class SignInLinksQueries {
  constructor(private readonly sql: Sql) {}

  /**
   * Stores a link, and deletes those that have expired. Under a lock on the user, so that it does not outlive the
   * moment in which the user is disabled.
   *
   * @returns `false` when there is no such user, or the user may not have such a link
   */
  async insert(userId: string, purpose: LinkPurpose, hash: string, minutes: number): Promise<boolean> {
    const condition = purpose === 'first-password' ? MAY_SET_FIRST_PASSWORD : MAY_SET_NEW_PASSWORD;
    const inserted = await this.sql.execute(
      `WITH expired AS (DELETE FROM sign_in_links WHERE expires_at <= now())
       INSERT INTO sign_in_links (id, user_id, purpose, hash, expires_at)
       SELECT $1, users.id, $2, $3, now() + make_interval(mins => $4)
         FROM users WHERE users.id = $5 AND ${condition}
          FOR NO KEY UPDATE`,
      [uuid(), purpose, hash, minutes, userId],
    );
    return inserted === 1;
  }

  /** Finds a link that is not older than the password. @returns `null` when it cannot be used */
  async find(hash: string): Promise<UsableLink | null> {
    const [found] = await this.sql.query<UsableLink>(
      `SELECT users.id AS "userId", purpose FROM sign_in_links JOIN users ON users.id = sign_in_links.user_id
        WHERE hash = $1 AND expires_at > now()
          AND NOT EXISTS (SELECT FROM passwords WHERE passwords.user_id = users.id
                                                  AND passwords.updated_at >= sign_in_links.created_at)
          AND CASE purpose WHEN 'first-password' THEN ${MAY_SET_FIRST_PASSWORD}
                           ELSE ${MAY_SET_NEW_PASSWORD} END`,
      [hash],
    );
    return found ?? null;
  }

  async delete(hash: string): Promise<void> {
    await this.sql.execute('DELETE FROM sign_in_links WHERE hash = $1', [hash]);
  }

  async deleteOf(userId: string): Promise<void> {
    await this.sql.execute('DELETE FROM sign_in_links WHERE user_id = $1', [userId]);
  }
}
