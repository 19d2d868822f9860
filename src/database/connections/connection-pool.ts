import type { EventEmitter } from 'node:events';
import pg from 'pg';
import { Connection } from './connection.js';

type Borrow = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: unknown) => void,
) => void;

/** A pool that lends no connection which is dead. When one is, the idle ones are likely to be so, too. */
export class ConnectionPool extends pg.Pool {
  private readonly all = new Set<Connection>();
  private readonly lent = new Set<Connection>();

  constructor(config: pg.PoolConfig) {
    super({ ...config, Client: Connection as unknown as NonNullable<pg.PoolConfig['Client']> });
    // All that it lends are of this class.
    const on = (event: string, listener: (connection: Connection) => void): unknown =>
      (this as EventEmitter).on(event, listener);
    on('connect', (connection) => this.all.add(connection));
    on('remove', (connection) => this.all.delete(connection));
    on('acquire', (connection) => this.lent.add(connection));
    this.on('release', (_error, client) => this.lent.delete(client as unknown as Connection));
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(borrow: Borrow): void;
  override connect(borrow?: Borrow): Promise<pg.PoolClient> | void {
    const lent = this.lend();
    if (borrow === undefined) return lent;
    void lent.then(
      (client) => borrow(undefined, client, (error) => client.release(error as Error)),
      (error: Error) => borrow(error, undefined, () => undefined),
    );
  }

  /** Cuts all connections that do not answer soon, idle ones immediately: others have fallen silent. */
  distrust(): void {
    for (const connection of this.all) if (this.lent.has(connection)) connection.doubt();
    this.discardIdle();
  }

  /** Cuts all connections: what waits for an answer fails. */
  cut(): void {
    for (const connection of this.all) connection.cut();
  }

  private async lend(): Promise<pg.PoolClient> {
    for (;;) {
      const client = await super.connect();
      const connection = client as unknown as Connection;
      if (await connection.isAlive()) return client;
      connection.cut();
      client.release(new Error('The connection is dead.'));
      this.discardIdle();
    }
  }

  private discardIdle(): void {
    for (const connection of this.all) if (!this.lent.has(connection)) connection.cut();
  }
}
