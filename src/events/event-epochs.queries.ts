import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import type { EventEpoch } from './event-epoch.entity.js';

@Injectable()
export class EventEpochsQueries {
  constructor(private readonly sql: Sql) {}

  /** Now, by the clock of the database, but later than the last epoch began. */
  async nextTime(): Promise<Date> {
    const [row] = await this.sql.query<{ at: Date }>(
      `SELECT greatest(clock_timestamp()::timestamptz(3), max(created_at) + interval '1 millisecond') AS at
         FROM event_epochs`,
    );
    if (row === undefined) throw new Error('An aggregate has one row.');
    return row.at;
  }

  async insert({ id, createdAt }: EventEpoch): Promise<void> {
    await this.sql.execute('INSERT INTO event_epochs (id, created_at) VALUES ($1, $2)', [id, createdAt]);
  }
}
