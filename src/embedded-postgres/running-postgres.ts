import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { POSTGRES_USER, type PostgresCluster } from './postgres-cluster.js';
import { HOST, launchServer } from './postgres-server.js';
import { DATABASE, joinServer, leaveServer, type Session } from './postgres-session.js';

/**
 * Milliseconds before each attempt to start the server again. The first ones can fail while processes of the dead server
 * still end.
 */
const PAUSES = [0, 200, 500, 1000, 2000, 4000];

/** How often the server may die within {@link PERIOD} before starting it again is given up. */
const DEATHS = 5;
const PERIOD = 60_000;

/** Follows a server that is started again when it dies. */
export interface Watcher {
  /** Receives one line when the server has died, and one when it runs again. */
  warn(line: string): void;
  /** Called once, when the server has died and cannot be started again. */
  failed(error: Error): void;
}

/** A server that this process uses, and with a {@link Watcher} starts again when it dies. */
export class RunningPostgres {
  /** Of the database `slipway`, with user and password. The user is a superuser. */
  readonly url: string;
  /** On 127.0.0.1. Stays the same from start to start as long as it is free. */
  readonly port: number;
  /** The PostgreSQL data folder, with `server.log` in it. Not always below `dataDir`: see `openCluster`. */
  readonly dataFolder: string;
  // Not parameter properties: tests run these files with Node.js alone, which only strips types.
  private readonly cluster: PostgresCluster;
  private readonly settings: Record<string, string>;
  private session: Session;
  private restarting: Promise<void> = Promise.resolve();
  private stopped: Promise<void> | undefined;
  private deaths: number[] = [];

  constructor(
    cluster: PostgresCluster,
    session: Session,
    settings: Record<string, string>,
    watcher: Watcher | undefined,
  ) {
    this.cluster = cluster;
    this.session = session;
    this.settings = settings;
    this.url = `postgres://${POSTGRES_USER}:${cluster.password}@${HOST}:${session.port}/${DATABASE}`;
    this.port = session.port;
    this.dataFolder = cluster.folder;
    if (watcher !== undefined) this.watch(watcher);
  }

  /**
   * Stops the server, unless another process uses it too: the last one to call this stops it. Open connections
   * are cut, so close the pool first. Further calls do nothing.
   *
   * @throws Error when the server cannot be stopped.
   */
  stop(): Promise<void> {
    return (this.stopped ??= this.leave());
  }

  private async leave(): Promise<void> {
    // A server that is being started must not be left behind.
    await this.restarting;
    await leaveServer(this.cluster, this.session);
  }

  private watch(watcher: Watcher): void {
    const died = (): void => {
      if (this.stopped === undefined) this.restarting = this.restart(watcher);
    };
    if (this.session.lost) died();
    else this.session.client.once('end', died);
  }

  private async restart(watcher: Watcher): Promise<void> {
    watcher.warn('PostgreSQL has died and is started again');
    try {
      this.countDeath();
      const session = await this.rejoin();
      if (session === undefined) return;
      this.session = session;
      watcher.warn('PostgreSQL is running again');
      this.watch(watcher);
    } catch (error) {
      if (this.stopped === undefined) watcher.failed(error as Error);
    }
  }

  /** @returns `undefined` when the process is asked to stop in the meantime */
  private async rejoin(): Promise<Session | undefined> {
    let failure: unknown;
    for (const pause of PAUSES) {
      await sleep(pause);
      if (this.isStopping()) return undefined;
      try {
        // Another process that uses the server may have been faster, or the server recovers without help.
        const session = await joinServer(this.cluster);
        if (session?.port === this.port) return session;
        // The pools of this process know no other port.
        if (session !== undefined) {
          await session.client.end();
          throw new Error(`PostgreSQL runs on port ${session.port} now.`);
        }
        await launchServer(this.cluster, this.settings, this.port);
        const launched = await joinServer(this.cluster);
        if (launched !== undefined) return launched;
      } catch (error) {
        failure = error;
      }
    }
    throw failure ?? new Error(`PostgreSQL stops right after its start: see ${this.logFile}.`);
  }

  private countDeath(): void {
    const now = performance.now();
    this.deaths = [...this.deaths.filter((time) => time > now - PERIOD), now];
    if (this.deaths.length > DEATHS) {
      throw new Error(`PostgreSQL died ${this.deaths.length} times within a minute: see ${this.logFile}.`);
    }
  }

  /** A method, because TypeScript would take the field for unchanged while something is awaited. */
  private isStopping(): boolean {
    return this.stopped !== undefined;
  }

  private get logFile(): string {
    return join(this.cluster.folder, 'server.log');
  }
}
