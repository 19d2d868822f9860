import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../../setup/free-port.js';

/** What transactions of the queue and the dispatcher of events begin with: no request waits for their COMMIT. */
const BACKGROUND_TRANSACTIONS = ['BEGIN; SELECT pg_advisory_xact_lock', 'slipway:events'];

/** Stands between a server and PostgreSQL, and can keep back what PostgreSQL answers to a statement. */
export class DatabaseProxy {
  private armed: { readonly statement: string; readonly answered: () => void } | null = null;
  private readonly held = new Map<Socket, Buffer[]>();
  private readonly sockets = new Set<Socket>();
  /** What servers have sent since `record`; `null`: no one wants to know. */
  private recorded: Buffer[] | null = null;
  private isFrozen = false;
  private readonly server: Server;
  /** Address of the database through this. */
  readonly url: string;

  private constructor(server: Server, url: string) {
    this.server = server;
    this.url = url;
  }

  /** @param databaseUrl where PostgreSQL is, without TLS */
  static async start(databaseUrl: string): Promise<DatabaseProxy> {
    const target = new URL(databaseUrl);
    const server = createServer();
    server.listen(await freePort(), '127.0.0.1');
    await once(server, 'listening');
    const url = new URL(databaseUrl);
    url.hostname = '127.0.0.1';
    url.port = String((server.address() as AddressInfo).port);
    const proxy = new DatabaseProxy(server, url.href);
    server.on('connection', (client) => proxy.join(client, connect(Number(target.port), target.hostname)));
    return proxy;
  }

  /**
   * Lets the next COMMIT of a request pass, but not its answer.
   *
   * @returns resolves when PostgreSQL has committed
   */
  holdNextCommit(): Promise<void> {
    return this.holdNext('COMMIT\0');
  }

  /**
   * Lets the next statement pass that contains a text, but not its answer.
   *
   * @returns resolves when PostgreSQL has answered
   */
  holdNext(statement: string): Promise<void> {
    return new Promise((answered) => (this.armed = { statement, answered }));
  }

  /** Begins to note what servers send. @returns ends that, and reports everything that was sent */
  record(): () => string {
    const recorded: Buffer[] = (this.recorded = []);
    return () => {
      this.recorded = null;
      return Buffer.concat(recorded).toString('latin1');
    };
  }

  /** Passes on what was kept back. */
  release(): void {
    for (const [client, chunks] of this.held) {
      for (const chunk of chunks) client.write(chunk);
    }
    this.held.clear();
  }

  /** Cuts all connections, and accepts none until `resume`. */
  async stop(): Promise<void> {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
    await once(this.server, 'close');
  }

  async resume(): Promise<void> {
    this.server.listen(Number(new URL(this.url).port), '127.0.0.1');
    await once(this.server, 'listening');
  }

  /** Keeps all connections and accepts new ones, but passes nothing on until `thaw`: the network is cut. */
  freeze(): void {
    this.isFrozen = true;
    for (const socket of this.sockets) socket.pause();
  }

  /** Goes on with new connections only: the network is back, but a firewall has forgotten those that there were. */
  forget(): void {
    this.isFrozen = false;
  }

  thaw(): void {
    this.isFrozen = false;
    for (const socket of this.sockets) socket.resume();
  }

  private join(client: Socket, database: Socket): void {
    let answered: (() => void) | null = null;
    let isOfBackground = false;
    client.on('data', (chunk) => {
      this.recorded?.push(chunk);
      if (BACKGROUND_TRANSACTIONS.some((begin) => chunk.includes(begin))) isOfBackground = true;
      const isCommitOfBackground = isOfBackground && chunk.includes('COMMIT\0');
      if (isCommitOfBackground) isOfBackground = false;
      if (this.armed !== null && !isCommitOfBackground && chunk.includes(this.armed.statement)) {
        answered = this.armed.answered;
        this.armed = null;
        this.held.set(client, []);
      }
      database.write(chunk);
    });
    database.on('data', (chunk) => {
      const kept = this.held.get(client);
      if (kept === undefined) {
        client.write(chunk);
        return;
      }
      kept.push(chunk);
      answered?.();
    });
    for (const [socket, other] of [
      [client, database],
      [database, client],
    ] as const) {
      this.sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => {
        this.sockets.delete(socket);
        other.destroy();
      });
      if (this.isFrozen) socket.pause();
    }
  }
}
