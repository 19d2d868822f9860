import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** SQL of identities. */
@Injectable()
export class IdentitiesQueries {
  constructor(private readonly sql: Sql) {}

  /** Other first sign-ins with this e-mail address wait until the transaction ends. */
  async lockSignIn(email: string): Promise<void> {
    await this.sql.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`oidc ${email}`]);
  }
}
