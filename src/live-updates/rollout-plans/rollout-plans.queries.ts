import { Injectable } from '@nestjs/common';
import { Sql } from '../../database/sql.js';

/** SQL of rollout plans. */
@Injectable()
export class RolloutPlansQueries {
  constructor(private readonly sql: Sql) {}

  /** The time of the database, which all replicas share. In a transaction it is the time when that began. */
  async now(): Promise<Date> {
    const [row] = await this.sql.query<{ now: Date }>('SELECT now()');
    return row?.now ?? new Date();
  }
}
