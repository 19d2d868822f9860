import { Raw } from 'typeorm';
import { sql } from './sql.js';

/** A condition on a time: later than now by the clock of the database, which all servers share. */
export const inFuture = Raw<Date>((column) => `${column} > now()`);

/**
 * The time by the clock of the database, also later than the start of the transaction: what waited for a lock sees a later
 * time than what held it.
 *
 * @param milliseconds added to it
 */
export async function databaseTime(milliseconds = 0): Promise<Date> {
  const [row] = await sql<{ now: Date }>('SELECT clock_timestamp() AS now');
  if (row === undefined) throw new Error('The database did not return its time.');
  return new Date(row.now.getTime() + milliseconds);
}
