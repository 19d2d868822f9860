import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';
import { OPEN_SUBMISSIONS } from '../submissions/submission.entity.js';

@Injectable()
export class DestinationsQueries {
  constructor(private readonly sql: Sql) {}

  /** Whether submissions to a locked destination have not ended. */
  async hasOpenSubmissions(id: string): Promise<boolean> {
    const [open] = await this.sql.query(
      `SELECT FROM submissions WHERE destination_id = $1 AND ${OPEN_SUBMISSIONS} LIMIT 1`,
      [id],
    );
    return open !== undefined;
  }
}
