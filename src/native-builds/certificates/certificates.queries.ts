import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

@Injectable()
export class CertificatesQueries {
  constructor(private readonly sql: Sql) {}

  /** Adds what was opened of a certificate, which does not change it. */
  async addSigningKey(id: string, sealed: string): Promise<void> {
    await this.sql.execute(
      'UPDATE certificates SET sealed_signing_key = $2 WHERE id = $1 AND sealed_signing_key IS NULL',
      [id, sealed],
    );
  }
}
