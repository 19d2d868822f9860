import { join, resolve } from 'node:path';
import { openCluster, removeCluster } from './postgres-cluster.js';
import { findPort, HOST, launchServer, readFormerPort } from './postgres-server.js';
import { createDatabase, joinServer } from './postgres-session.js';
import { RunningPostgres, type Watcher } from './running-postgres.js';

/** How often to start the server: its port may be taken, or another process may start one at the same time. */
const ATTEMPTS = 3;

export interface EmbeddedPostgresOptions {
  /** Holds the cluster in its folder `postgres`; created when absent. */
  dataDir: string;
  /**
   * Server settings by name, such as `{ fsync: 'off' }`. They have no effect on a server that runs already.
   * With `fsync` off, a new cluster is not flushed to the disk either.
   */
  settings?: Record<string, string>;
  /** Receives one line about each notable step. */
  log?: (line: string) => void;
  /** If set, the server is started again when it dies, until {@link EmbeddedPostgres.stop}. */
  watcher?: Watcher;
}

/** A running PostgreSQL. */
export interface EmbeddedPostgres {
  /** Of the database `slipway`, with user and password. The user is a superuser. */
  url: string;
  /** On 127.0.0.1. Stays the same from start to start as long as it is free. */
  port: number;
  /** The PostgreSQL data folder, with `server.log` in it. Not always below `dataDir`: see {@link openCluster}. */
  dataFolder: string;
  /**
   * Stops the server, unless another process uses it too: the last one to call this stops it. Open connections
   * are cut, so close the pool first. Further calls do nothing.
   *
   * @throws Error when the server cannot be stopped.
   */
  stop(): Promise<void>;
}

/**
 * Starts the PostgreSQL that npm installed, on a private port and on the data in `<dataDir>/postgres`; the first
 * start creates them. A server that runs there already is joined instead, whether another process uses it or
 * its process was killed.
 *
 * The server is a process of its own that outlives ours and no signal of a terminal reaches. Only
 * {@link EmbeddedPostgres.stop} stops it. Each process that uses it holds one connection with a shared advisory
 * lock, which a killed process gives back by itself; that is how `stop` knows whether it is the last one.
 *
 * @throws Error when the binaries are missing (production images have none), cannot run, or the server does not
 *   start; the message ends with what the server logged.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { settings = {}, log = () => undefined } = options;
  const cluster = await openCluster(resolve(options.dataDir), { sync: settings.fsync !== 'off', log });
  let failure: unknown;
  for (let attempt = 0; attempt <= ATTEMPTS; attempt++) {
    const session = await joinServer(cluster);
    if (session) {
      const how = attempt === 0 ? 'was already running' : 'is running';
      log(`PostgreSQL ${how} on ${HOST}:${session.port} with its data in ${cluster.folder}`);
      await createDatabase(session);
      return new RunningPostgres(cluster, session, settings, options.watcher);
    }
    if (attempt < ATTEMPTS) {
      const port = await findPort(attempt === 0 ? await readFormerPort(cluster.folder) : 0);
      failure = await launchServer(cluster, settings, port).then(
        () => undefined,
        (error: unknown) => error,
      );
    }
  }
  throw (
    failure ??
    new Error(`PostgreSQL stopped right after its start: see ${join(cluster.folder, 'server.log')}.`)
  );
}

/**
 * Removes the cluster of a `dataDir`, also when it had to be kept outside of it. Tests call this before they
 * remove the folder itself.
 *
 * @throws Error when its server is running.
 */
export async function removeEmbeddedPostgresData(dataDir: string): Promise<void> {
  await removeCluster(dataDir);
}
