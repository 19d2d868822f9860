import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Sql } from '../../database/sql.js';

@Injectable()
export class PasswordsQueries {
  constructor(private readonly sql: Sql) {}

  /** Stores the hash of a user's password, instead of the one before. The id changes: it identifies the password. */
  async put(userId: string, hash: string): Promise<void> {
    await this.sql.execute(
      `INSERT INTO passwords (id, user_id, hash) VALUES ($1, $2, $3)
       ON CONFLICT (user_id) DO UPDATE SET id = excluded.id, hash = excluded.hash, updated_at = now()`,
      [uuid(), userId, hash],
    );
  }

  /** Whether the user still has this password. It cannot change until the transaction ends. */
  async lock(userId: string, id: string): Promise<boolean> {
    const rows = await this.sql.query('SELECT FROM passwords WHERE user_id = $1 AND id = $2 FOR SHARE', [
      userId,
      id,
    ]);
    return rows.length === 1;
  }

  /** Stores the hash of a user's first password. @returns `false` when the user has one */
  async insertFirst(userId: string, hash: string): Promise<boolean> {
    const inserted = await this.sql.execute(
      'INSERT INTO passwords (id, user_id, hash) VALUES ($1, $2, $3) ON CONFLICT (user_id) DO NOTHING',
      [uuid(), userId, hash],
    );
    return inserted > 0;
  }
}
