import { Raw } from 'typeorm';

/** The time by the clock of the database itself; `now()` would be that of the transaction. */
export const READ_CLOCK = 'SELECT clock_timestamp() AS now';

/** A condition on a time: later than now by the clock of the database, which all servers share. */
export const inFuture = Raw<Date>((column) => `${column} > now()`);
