import { Injectable } from '@nestjs/common';
import { v7 as uuid } from 'uuid';
import { Sql } from '../../database/sql.js';

/** SQL of passwords. */
@Injectable()
export class PasswordsQueries {
  constructor(private readonly sql: Sql) {}

  /** Stores the hash of a user's password, instead of the one before. */
  async put(userId: string, hash: string): Promise<void> {
    await this.sql.execute(
      `INSERT INTO passwords (id, user_id, hash) VALUES ($1, $2, $3)
       ON CONFLICT (user_id) DO UPDATE SET hash = excluded.hash, updated_at = now()`,
      [uuid(), userId, hash],
    );
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
