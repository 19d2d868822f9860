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

  /** Records that the user uses Slipway now. */
  async recordSeen(id: string): Promise<void> {
    await this.sql.execute('UPDATE users SET last_seen_at = now() WHERE id = $1', [id]);
  }
}
