import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** SQL of users. */
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

  /** Records that the user uses Slipway now. */
  async recordSeen(id: string): Promise<void> {
    await this.sql.execute('UPDATE users SET last_seen_at = now() WHERE id = $1', [id]);
  }
}
