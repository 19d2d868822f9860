import { join, resolve } from 'node:path';
import { openCluster } from './postgres-cluster.js';
import { findPort, HOST, launchServer, readFormerPort } from './postgres-server.js';
import { createDatabase, joinServer } from './postgres-session.js';
import { RunningPostgres, type Watcher } from './running-postgres.js';

export { removeCluster as removeEmbeddedPostgresData } from './postgres-cluster.js';
export type { RunningPostgres as EmbeddedPostgres };

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
  /** If set, the server is started again when it dies, until {@link RunningPostgres.stop}. */
  watcher?: Watcher;
}

/**
 * Starts the PostgreSQL that npm installed, on a private port and on the data in `<dataDir>/postgres`; the first
 * start creates them. A server that runs there already is joined instead, whether another process uses it or
 * its process was killed.
 *
 * The server is a separate process that outlives ours and no signal of a terminal reaches. Only
 * {@link RunningPostgres.stop} stops it. Each process that uses it holds one connection with a shared advisory
 * lock, which PostgreSQL releases when the process is killed; that is how `stop` knows whether it is the last one.
 *
 * @throws Error when the binaries are missing (production images have none), cannot run, or the server does not
 *   start; the message ends with what the server logged.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<RunningPostgres> {
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
