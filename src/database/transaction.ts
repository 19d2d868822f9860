import { type DataSource, type EntityManager, QueryFailedError } from 'typeorm';

/** SQLSTATE: PostgreSQL ended one of several transactions that waited for each other; it did nothing and may try again. */
const DEADLOCK_DETECTED = '40P01';
const ATTEMPTS = 3;

/**
 * Runs statements that must agree, all of them or none. Repeated when PostgreSQL ends it to resolve a deadlock, so
 * `work` must do nothing but statements on `tx`.
 */
export function transaction<R>(database: DataSource, work: (tx: EntityManager) => Promise<R>): Promise<R> {
  return retryOnDeadlock(() => database.transaction(work));
}

/** Repeats what PostgreSQL has ended to resolve a deadlock. Only for what is a transaction of its own. */
export async function retryOnDeadlock<R>(work: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!isDeadlock(error) || attempt === ATTEMPTS) throw error;
    }
  }
}

function isDeadlock(error: unknown): boolean {
  return (
    error instanceof QueryFailedError && (error.driverError as { code?: string }).code === DEADLOCK_DETECTED
  );
}
