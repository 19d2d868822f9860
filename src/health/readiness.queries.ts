import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';

@Injectable()
export class ReadinessQueries {
  constructor(private readonly sql: Sql) {}

  /** Whether transactions cannot write: the server is a standby, or was set to be read-only. */
  async isReadOnly(): Promise<boolean> {
    const [row] = await this.sql.query<{ mode: string }>(
      `SELECT current_setting('transaction_read_only') AS mode`,
    );
    return row?.mode === 'on';
  }
}
