import type { DataSource, EntityManager, QueryRunner } from 'typeorm';
import { stateActor } from './actor.js';
import { isJoined, joining } from './joining-data-source.js';
import { postgresErrorOf } from './postgres-error.js';

/** SQLSTATE: PostgreSQL ended one of several transactions that waited for each other; it did nothing and may try again. */
const DEADLOCK_DETECTED = '40P01';
const ATTEMPTS = 3;

/**
 * Runs statements that must agree, all of them or none: as a part of the request's transaction, if there is one.
 * Repeated when PostgreSQL ends it to resolve a deadlock, so `work` must do nothing but statements on `tx`.
 */
export function transaction<R>(database: DataSource, work: (tx: EntityManager) => Promise<R>): Promise<R> {
  return retryOnDeadlock(() =>
    database.transaction(async (tx) => {
      if (!isJoined()) await stateActor(tx);
      return work(tx);
    }),
  );
}

/**
 * Runs the handler of a request as one transaction: every statement in it takes part, and what is opened in it by
 * `transaction` becomes a savepoint. Repeated as `transaction` is.
 */
export function requestTransaction<R>(database: DataSource, handler: () => Promise<R>): Promise<R> {
  return transaction(database, (tx) => joining(tx.queryRunner as QueryRunner, handler));
}

/** Runs reads that must see one state of the database: every statement in it takes part. It cannot write. */
export function snapshot<R>(database: DataSource, reads: () => Promise<R>): Promise<R> {
  return database.transaction('REPEATABLE READ', async (tx) => {
    await tx.query('SET TRANSACTION READ ONLY');
    return joining(tx.queryRunner as QueryRunner, reads);
  });
}

/** Repeats what PostgreSQL has ended to resolve a deadlock. Only for what is a transaction of its own. */
export async function retryOnDeadlock<R>(work: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (postgresErrorOf(error).code !== DEADLOCK_DETECTED || attempt === ATTEMPTS) throw error;
    }
  }
}
