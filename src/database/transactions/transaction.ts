import { Logger } from '@nestjs/common';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import type { Connection } from '../connections/connection.js';
import { actorStatement } from './actor.js';
import { notifyOf, readAnnouncements } from './announcements.js';
import { postgresErrorOf } from '../postgres-error.js';
import { currentScope, inScope, requireUsable, type Scope } from './transaction-scope.js';
import { transactionalDataSource } from './transactional-data-source.js';

/** SQLSTATE: PostgreSQL ended one of several transactions that waited for each other. It did nothing and may run again. */
const DEADLOCK_DETECTED = '40P01';
const ATTEMPTS = 3;

/**
 * Runs statements that must agree: all of them take effect, or none. Every statement that `work` issues takes part,
 * whichever repository it goes through. Joins the running transaction without an additional statement; without one it
 * opens one, and repeats it when PostgreSQL ends it to resolve a deadlock. So `work` changes nothing but the database:
 * no objects, storage, mail or HTTP. See ADR 27.
 */
export async function transaction<R>(work: () => Promise<R>): Promise<R> {
  const running = currentScope();
  if (running !== undefined) {
    requireUsable(running);
    return work();
  }
  return retryOnDeadlock(() => run(undefined, actorStatement(), work));
}

/**
 * As `transaction`, but an error of `work` undoes only what `work` did: for callers that catch it and continue in the
 * same transaction.
 *
 * @throws Error when another savepoint of the same transaction is open
 */
export async function savepoint<R>(work: () => Promise<R>): Promise<R> {
  const outer = currentScope();
  if (outer === undefined) return transaction(work);
  requireUsable(outer);
  outer.hasOpenSavepoint = true;
  const { runner, isSnapshot } = outer;
  const scope = newScope(runner, isSnapshot, outer.depth + 1);
  const name = `savepoint_${scope.depth}`;
  try {
    await runner.query(`SAVEPOINT ${name}`);
    try {
      const result = await inScope(scope, work);
      scope.hasEnded = true;
      await runner.query(`RELEASE SAVEPOINT ${name}`);
      outer.afterCommit.push(...scope.afterCommit);
      return result;
    } catch (error) {
      scope.hasEnded = true;
      // Fails only if the connection does, and then the first error is more useful.
      await runner.query(`ROLLBACK TO SAVEPOINT ${name}`).catch(() => undefined);
      throw error;
    }
  } finally {
    outer.hasOpenSavepoint = false;
  }
}

/**
 * Runs reads that must see one state of the database. They cannot write.
 *
 * @throws Error inside a transaction, whose isolation has been chosen already
 */
export async function snapshot<R>(reads: () => Promise<R>): Promise<R> {
  const running = currentScope();
  if (running === undefined) return run('REPEATABLE READ', ['SET TRANSACTION READ ONLY'], reads);
  if (!running.isSnapshot) throw new Error('A snapshot cannot be taken inside a transaction.');
  requireUsable(running);
  return reads();
}

/**
 * Runs `work` after the outermost transaction is committed, outside of it; never when it, or the savepoint that this
 * is called in, is rolled back.
 *
 * @throws Error outside of transactions
 */
export function afterCommit(work: () => void): void {
  const scope = currentScope();
  if (scope === undefined) throw new Error('There is no transaction to wait for.');
  requireUsable(scope);
  scope.afterCommit.push(work);
}

/**
 * Gives each further statement of the running transaction so many milliseconds, instead of the limit for requests.
 *
 * @throws Error outside of transactions
 */
export async function allowStatements(milliseconds: number): Promise<void> {
  const scope = currentScope();
  if (scope === undefined) throw new Error('There is no transaction whose statements could take longer.');
  requireUsable(scope);
  await ((await scope.runner.connect()) as Connection).allow(milliseconds);
}

/** Whether statements issued here join a transaction. */
export function isInTransaction(): boolean {
  return currentScope() !== undefined;
}

/**
 * Runs work that belongs to no request, although a request may start it: caches, batches, timers, shared promises. Its
 * statements join no transaction. Code inside a transaction must not wait for it: it would hold one connection and
 * need a second one.
 */
export function outsideTransaction<R>(work: () => R): R {
  return inScope(undefined, work);
}

/** Runs reads at the same time, each on its own connection; inside a transaction, one after the other. */
export async function parallelUnlessInTransaction<R extends unknown[]>(
  ...reads: { [I in keyof R]: () => Promise<R[I]> }
): Promise<R> {
  if (!isInTransaction()) return Promise.all(reads.map((read) => read())) as Promise<R>;
  const results: unknown[] = [];
  for (const read of reads) results.push(await read());
  return results as R;
}

/** Repeats what PostgreSQL ended to resolve a deadlock. Only for a whole transaction, or one statement outside of any. */
export async function retryOnDeadlock<R>(work: () => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (postgresErrorOf(error).code !== DEADLOCK_DETECTED || attempt === ATTEMPTS) throw error;
    }
  }
}

/** Runs `work` in a new transaction on its own connection, after the statement `first`. */
async function run<R>(
  isolation: IsolationLevel | undefined,
  first: [sql: string, parameters?: unknown[]] | null,
  work: () => Promise<R>,
): Promise<R> {
  const runner = transactionalDataSource().createOwnQueryRunner();
  const isOfRequest = isolation === undefined && first !== null;
  const scope = newScope(runner, isolation !== undefined, 0);
  let result: R;
  try {
    await runner.startTransaction(isolation);
    try {
      if (first !== null) await runner.query(...first);
      result = await inScope(scope, work);
      scope.hasEnded = true;
      const announced = isOfRequest ? await readAnnouncements(runner) : [];
      // Also when it fails: it may have taken effect, and only the response to it was lost.
      await runner.commitTransaction().finally(() => notifyOf(announced));
    } catch (error) {
      scope.hasEnded = true;
      // If this fails, the first error says more, and `release` destroys the connection.
      await runner.rollbackTransaction().catch(() => undefined);
      throw error;
    }
  } finally {
    await runner.release();
  }
  outsideTransaction(() => scope.afterCommit.forEach(runAfterCommit));
  return result;
}

/** What is committed stays committed, so an error here is logged and not thrown. */
function runAfterCommit(work: () => void): void {
  try {
    work();
  } catch (error) {
    new Logger('Transaction').error({ err: error }, 'Work after a commit failed');
  }
}

function newScope(runner: Scope['runner'], isSnapshot: boolean, depth: number): Scope {
  return { runner, isSnapshot, depth, afterCommit: [], hasOpenSavepoint: false, hasEnded: false };
}
