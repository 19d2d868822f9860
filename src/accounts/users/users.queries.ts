import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** The condition of a row with the column `user_id` that its user is enabled. */
export const USER_IS_ENABLED =
  'EXISTS (SELECT FROM users WHERE users.id = user_id AND users.disabled_at IS NULL)';

@Injectable()
export class UsersQueries {
  constructor(private readonly sql: Sql) {}

  /** Other transactions that create users wait until this one ends. */
  async lockCreation(): Promise<void> {
    await this.sql.query('LOCK TABLE users IN SHARE ROW EXCLUSIVE MODE');
  }

  /** Others that lock this e-mail address wait until the transaction ends. */
  async lockEmail(email: string): Promise<void> {
    await this.sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`user ${email}`]);
  }

  /** Locks a user until the transaction ends. @returns `false` when the user is disabled or deleted */
  async lockEnabled(id: string): Promise<boolean> {
    const rows = await this.sql.query(
      'SELECT FROM users WHERE id = $1 AND disabled_at IS NULL FOR NO KEY UPDATE',
      [id],
    );
    return rows.length === 1;
  }

  /** Disables a user, unless the user is disabled. The lock on the user lasts until the transaction ends. */
  async disable(id: string): Promise<void> {
    await this.sql.execute(
      'UPDATE users SET disabled_at = now(), updated_at = now() WHERE id = $1 AND disabled_at IS NULL',
      [id],
    );
  }

  /** Records that the user uses Slipway now. */
  async recordSeen(id: string): Promise<void> {
    await this.sql.execute('UPDATE users SET last_seen_at = now() WHERE id = $1', [id]);
  }
}
