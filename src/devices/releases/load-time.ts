import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';
import { postgresErrorOf } from '../../database/postgres-error.js';

/** Milliseconds that a load may take while the server is cut off: then old tables are served. */
const CUT_OFF_LIMIT = 2500;
/** SQLSTATE: the statement took too long. */
const QUERY_CANCELED = '57014';

/**
 * Waits for a load. A time-out counts as a database that is not available.
 *
 * @param isCutOff whether the database seems to be away: then statements may hang until the network gives up
 */
export async function withinTime<R>(load: Promise<R>, isCutOff: () => boolean): Promise<R> {
  const { promise: limit, reject } = Promise.withResolvers<never>();
  const timer = setInterval(() => {
    if (isCutOff()) reject(new DatabaseUnavailableError('time-out'));
  }, CUT_OFF_LIMIT);
  try {
    return await Promise.race([load, limit]);
  } catch (error) {
    if (postgresErrorOf(error).code !== QUERY_CANCELED) throw error;
    throw new DatabaseUnavailableError(QUERY_CANCELED);
  } finally {
    clearInterval(timer);
  }
}
