import { setTimeout as sleep } from 'node:timers/promises';
import type { PoolClient } from 'pg';
import { DataSource, type QueryRunner, type ReplicationMode } from 'typeorm';
import { orAfter } from '../../common/background/or-after.js';
import { DatabaseUnavailableError } from '../../common/errors/database-unavailable.error.js';
import type { ConnectionPool } from '../connections/connection-pool.js';
import { noteFailure } from '../outages/refused-writes.js';
import { messageOf, READ_ONLY, translateUnavailable, unavailableReason } from '../outages/unavailable.js';
import { currentScope, requireUsable, type Scope } from './transaction-scope.js';

/** Milliseconds in which a pool that works answers a statement. */
const ANSWERED_WITHIN = 2000;
/** How long a process that ends waits for its connections, in milliseconds. */
const ENDS_WITHIN = 2000;

/**
 * A data source whose statements join the running transaction of the code that issues them, whichever repository they
 * go through: everything in TypeORM that needs a connection calls `createQueryRunner`. A process has one.
 *
 * TypeORM has no hook for this, so runners get methods of this file. `test/architecture/typeorm.spec.ts` names what that
 * relies on, for each new version.
 */
export class TransactionalDataSource extends DataSource {
  /** The data source of this process, once it is initialized. */
  static current: TransactionalDataSource | null = null;

  /**
   * Why no connection can be opened now; `null`: nothing is known against it. Statements then fail immediately instead
   * of waiting for the pool. `ChangeSignals` sets it, which tries to connect all the time.
   */
  away: string | null = null;
  private isSuspected = false;
  /** When the last statement was answered, in milliseconds of `performance.now()`. */
  private answeredAt = -Infinity;

  override async initialize(): Promise<this> {
    await super.initialize();
    TransactionalDataSource.current = this;
    return this;
  }

  /** What still waits for an answer after a moment fails. */
  override async destroy(): Promise<void> {
    const { pool } = this;
    await orAfter(super.destroy(), ENDS_WITHIN, undefined);
    pool.cut();
  }

  override createQueryRunner(mode: ReplicationMode = 'master'): QueryRunner {
    const scope = currentScope();
    return scope === undefined ? this.createOwnQueryRunner(mode) : joined(scope);
  }

  /** A runner with its own connection. */
  createOwnQueryRunner(mode: ReplicationMode = 'master'): QueryRunner {
    const runner = super.createQueryRunner(mode);
    const connect = runner.connect.bind(runner) as () => Promise<PoolClient>;
    const query = runner.query.bind(runner) as (...query: unknown[]) => Promise<unknown>;
    const release = runner.release.bind(runner);
    let client: PoolClient | null = null;
    return Object.assign(runner, {
      // TypeORM calls it before each statement. A transaction continues with the connection that it has.
      connect: async () => {
        if (client === null && this.away !== null) throw new DatabaseUnavailableError(this.away);
        client = await connect().catch(unreachable);
        return client;
      },
      query: async (...args: unknown[]) => {
        const result = await query(...args).catch(rethrow);
        this.answeredAt = performance.now();
        return result;
      },
      release: () => {
        // The pool drops a closed connection. It must not lend one whose transaction was neither committed nor rolled
        // back.
        if (runner.isTransactionActive) void client?.end();
        return release();
      },
    });
  }

  get pool(): ConnectionPool {
    return (this.driver as unknown as { readonly master: ConnectionPool }).master;
  }

  /** See `setAway`. */
  setAway(reason: string | null): void {
    this.isSuspected = false;
    this.away = reason;
  }

  /** See `suspectAway`. */
  async suspectAway(reason: string): Promise<void> {
    if (this.isSuspected) return;
    this.isSuspected = true;
    const works = await this.poolWorks();
    // Otherwise, an attempt to connect has found out more.
    if (this.isSuspected) this.setAway(works ? null : reason);
    if (!works) this.pool.distrust();
  }

  /** Whether the pool has answered a statement a moment ago, or answers one now. */
  private async poolWorks(): Promise<boolean> {
    const since = performance.now() - ANSWERED_WITHIN;
    if (this.answeredAt <= since) {
      const probe = { text: 'SELECT 1', query_timeout: ANSWERED_WITHIN };
      const answer = this.pool.query(probe).then(() => (this.answeredAt = performance.now()));
      // A busy pool lends no connection in time, but answers the statements of others.
      await Promise.race([answer, sleep(ANSWERED_WITHIN)]).catch(() => undefined);
    }
    return this.answeredAt > since;
  }
}

/** @throws the error, as `DatabaseUnavailableError` if that is its cause */
function rethrow(error: unknown): never {
  const reason = unavailableReason(error);
  // A write in a snapshot is a mistake of the program, not of a database that became read-only.
  if (currentScope()?.isSnapshot === true && reason === READ_ONLY) throw error;
  noteFailure(reason);
  throw translateUnavailable(error);
}

/** Whatever the reason: without a connection, the database cannot be used. */
function unreachable(error: unknown): never {
  const message = messageOf(error);
  const { code = message } = error as NodeJS.ErrnoException;
  throw new DatabaseUnavailableError(unavailableReason(error) ?? code, message);
}

/** @param reason why no connection can be opened now; `null`: the server responds */
export function setAway(reason: string | null): void {
  TransactionalDataSource.current?.setAway(reason);
}

/**
 * As `setAway`, unless the pool works: a server that is slow, or that another connection cannot reach, is not away.
 *
 * @param reason why a connection of others could not be opened
 */
export function suspectAway(reason: string): void {
  void TransactionalDataSource.current?.suspectAway(reason);
}

/** Cuts the connections of the pool that do not answer soon: another one has fallen silent, and the server is there. */
export function distrustConnections(): void {
  TransactionalDataSource.current?.pool.distrust();
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
