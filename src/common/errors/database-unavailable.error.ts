/**
 * The database cannot be used now: it does not accept connections, the connection broke, or the pool has none left.
 *
 * Not an `AppError`, although the response is one (503, `DatabaseUnavailableAppError`): when the connection breaks during a commit, it is unknown whether
 * the transaction took effect, so this must not be handled like a request that was refused.
 */
export class DatabaseUnavailableError extends Error {
  /**
   * @param reason for the log: an SQLSTATE, a code of Node.js, or a short text
   * @param detail what the driver reported
   */
  constructor(
    readonly reason: string,
    readonly detail: string = reason,
  ) {
    super(`The database is not available: ${detail}`);
    this.name = 'DatabaseUnavailableError';
    // Every request and every background task meets it: stacks would fill the log, and the cause is in none of them.
    delete this.stack;
  }
}
