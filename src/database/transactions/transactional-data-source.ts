import { DataSource, type QueryRunner, type ReplicationMode } from 'typeorm';
import { currentScope, requireUsable, type Scope } from './transaction-scope.js';

/**
 * A data source whose statements join the running transaction of the code that issues them, whichever repository they
 * go through: everything in TypeORM that needs a connection calls `createQueryRunner`. A process has one.
 */
export class TransactionalDataSource extends DataSource {
  /** The data source of this process, once it is initialized. */
  static current: TransactionalDataSource | null = null;

  override async initialize(): Promise<this> {
    await super.initialize();
    TransactionalDataSource.current = this;
    return this;
  }

  override createQueryRunner(mode: ReplicationMode = 'master'): QueryRunner {
    const scope = currentScope();
    return scope === undefined ? this.createOwnQueryRunner(mode) : joined(scope);
  }

  /** A runner with a connection of its own. */
  createOwnQueryRunner(mode: ReplicationMode = 'master'): QueryRunner {
    return super.createQueryRunner(mode);
  }
}

/** @throws Error before the data source of this process is initialized */
export function transactionalDataSource(): TransactionalDataSource {
  if (TransactionalDataSource.current === null) throw new Error('The database is not initialized.');
  return TransactionalDataSource.current;
}

/** The runner of a transaction for one caller: only the transaction releases it, and nothing uses it afterwards. */
function joined(scope: Scope): QueryRunner {
  requireUsable(scope);
  return new Proxy(scope.runner, {
    get: (runner, key) => {
      if (key === 'release') return () => Promise.resolve();
      if (key === 'query' || key === 'stream') requireUsable(scope);
      return Reflect.get(runner, key, runner) as unknown;
    },
  });
}
