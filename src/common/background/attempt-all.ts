import { DatabaseUnavailableError } from '../errors/database-unavailable.error.js';

/**
 * Does work for each item, one after the other. An item that fails does not stop those that follow, unless the database
 * is away.
 *
 * @param report receives each failure immediately
 * @throws the first failure, after the last item
 */
export async function attemptAll<T>(
  items: readonly T[],
  work: (item: T) => Promise<unknown>,
  report: (error: unknown, item: T) => void,
): Promise<void> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      if (error instanceof DatabaseUnavailableError) throw error;
      report(error, item);
      failures.push(error);
    }
  }
  if (failures.length > 0) throw failures[0];
}
