import { AsyncLocalStorage } from 'node:async_hooks';
import type { QueryRunner } from 'typeorm';

/** A running transaction, snapshot or savepoint. */
export interface Scope {
  readonly runner: QueryRunner;
  readonly isSnapshot: boolean;
  /** 0 for a transaction, 1 for a savepoint in it, and so on. */
  readonly depth: number;
  /** What runs when the outermost transaction is committed. */
  readonly afterCommit: (() => void)[];
  hasOpenSavepoint: boolean;
  hasEnded: boolean;
}

const current = new AsyncLocalStorage<Scope | undefined>();

/** The scope that statements join; `undefined` outside of transactions. */
export function currentScope(): Scope | undefined {
  return current.getStore();
}

/** Runs `work` so that its statements join `scope`, or none. */
export function inScope<R>(scope: Scope | undefined, work: () => R): R {
  return current.run(scope, work);
}

/** @throws Error when a statement must not run in the scope: that is a bug of the caller */
export function requireUsable(scope: Scope): void {
  if (scope.hasEnded) {
    throw new Error('The transaction has ended. Start work that outlives it with outsideTransaction().');
  }
  if (scope.hasOpenSavepoint) {
    throw new Error('A savepoint is open. Await it before the next statement of the transaction around it.');
  }
}
