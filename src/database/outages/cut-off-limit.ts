import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';
import { postgresErrorOf } from '../postgres-error.js';

/** Milliseconds that a read may take while the server is cut off: then what is in memory is served. */
const CUT_OFF_LIMIT = 2500;
/** SQLSTATE: the statement took too long. */
const QUERY_CANCELED = '57014';

/**
 * Waits for a read of the database, with a limit while the server is cut off.
 *
 * @param isCutOff whether the database seems to be away: then statements may hang until the network gives up
 * @throws DatabaseUnavailableError when it takes too long while the server is cut off
 */
export async function withinTime<R>(read: Promise<R>, isCutOff: () => boolean): Promise<R> {
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const timer = setInterval(() => {
    if (isCutOff()) reject(new DatabaseUnavailableError('time-out'));
  }, CUT_OFF_LIMIT);
  try {
    return await Promise.race([read, limit]);
  } catch (error) {
    // Otherwise only this statement is too slow.
    if (postgresErrorOf(error).code !== QUERY_CANCELED || !isCutOff()) throw error;
    throw new DatabaseUnavailableError(QUERY_CANCELED);
  } finally {
    clearInterval(timer);
  }
}
