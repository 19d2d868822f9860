import { once } from 'node:events';
import { readFile, rename, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import {
  openCluster,
  POSTGRES_USER,
  type PostgresCluster,
  readPostmaster,
  removeCluster,
  removeMisleadingPidFile,
} from './postgres-cluster.js';
import { run } from './postgres-os.js';

const HOST = '127.0.0.1';
const DATABASE = 'slipway';

/** How often to start the server: its port may be taken, or another process may start one at the same time. */
const ATTEMPTS = 3;

/** Long enough for a recovery after a crash. */
const START_TIMEOUT_SECONDS = 120;

const MAX_LOG_BYTES = 5_000_000;

/**
 * The SQLSTATE of a refusal that waiting does not change, a wrong password for example. Of the others, 57 is a
 * server that starts or stops, and 53 one that has too many connections for now.
 */
const REFUSED_FOR_GOOD = /^(?!57|53)\d[0-9A-Z]{4}$/;

/** The advisory lock, in the database `postgres`, that every process which uses the server shares. */
const USERS_LOCK = 7_547_929;

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
      return toEmbeddedPostgres(cluster, session);
    }
    if (attempt < ATTEMPTS) {
      failure = await launchServer(cluster, settings, attempt === 0).then(
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

function toEmbeddedPostgres(cluster: PostgresCluster, session: Session): EmbeddedPostgres {
  let stopped: Promise<void> | undefined;
  return {
    url: `postgres://${POSTGRES_USER}:${cluster.password}@${HOST}:${session.port}/${DATABASE}`,
    port: session.port,
    dataFolder: cluster.folder,
    stop: () => (stopped ??= leaveServer(cluster, session)),
  };
}

/** Our connection that says "in use". */
interface Session {
  client: pg.Client & { ref(): void; unref(): void };
  port: number;
  /** True when the server ended it, by a restart for example. */
  lost: boolean;
}

/**
 * Connects to the server that runs on the cluster, waiting while it starts; undefined when none does or it stops.
 *
 * @throws Error when it runs and still accepts no connection in the end.
 */
async function joinServer(cluster: PostgresCluster): Promise<Session | undefined> {
  const deadline = Date.now() + START_TIMEOUT_SECONDS * 1000;
  for (;;) {
    const postmaster = await readPostmaster(cluster.folder);
    if (!postmaster) {
      return undefined;
    }
    let reason: unknown = 'it is starting or stopping';
    let isHopeless = false;
    try {
      const session = postmaster.port ? await connect(cluster, postmaster.port) : undefined;
      if (session && (await query(session, 'SELECT pg_try_advisory_lock_shared($1)', USERS_LOCK))) {
        return session;
      }
      await session?.client.end();
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'ECONNREFUSED' && postmaster.ready) {
        // It died and something else has its process id. Should it be alive, then it refuses a second server.
        return undefined;
      }
      reason = error;
      isHopeless = REFUSED_FOR_GOOD.test(code ?? '');
    }
    if (isHopeless || Date.now() > deadline) {
      throw new Error(
        `PostgreSQL (process ${postmaster.pid}) runs on ${cluster.folder} but cannot be used: ${String(reason)}`,
      );
    }
    await sleep(20);
  }
}

async function connect(cluster: PostgresCluster, port: number): Promise<Session> {
  const client = new pg.Client({
    host: HOST,
    port,
    user: POSTGRES_USER,
    password: cluster.password,
    database: 'postgres',
    application_name: 'slipway (in use)',
    ssl: false,
    connectionTimeoutMillis: 5000,
  }) as Session['client'];
  const session: Session = { client, port, lost: false };
  client.on('error', () => (session.lost = true));
  client.on('end', () => (session.lost = true));
  await client.connect();
  // This connection must not keep a process alive that ends without stop().
  client.unref();
  return session;
}

/** The first column of the only row. */
async function query(session: Session, sql: string, ...values: unknown[]): Promise<unknown> {
  // This connection may be the only thing that keeps the process alive until the response.
  session.client.ref();
  const { rows } = await session.client.query<unknown[]>({ text: sql, values, rowMode: 'array' });
  session.client.unref();
  return rows[0]?.[0];
}

async function createDatabase(session: Session): Promise<void> {
  if (await query(session, 'SELECT 1 FROM pg_database WHERE datname = $1', DATABASE)) {
    return;
  }
  try {
    await query(session, `CREATE DATABASE ${DATABASE}`);
  } catch (error) {
    // Another process created it at the same time: duplicate_database or unique_violation.
    if (!['42P04', '23505'].includes((error as { code?: string }).code ?? '')) {
      await session.client.end();
      throw error;
    }
  }
}

async function launchServer(
  cluster: PostgresCluster,
  settings: Record<string, string>,
  preferFormerPort: boolean,
): Promise<void> {
  await removeMisleadingPidFile(cluster.folder);
  const port = await findPort(preferFormerPort ? await readFormerPort(cluster.folder) : 0);
  const logFile = join(cluster.folder, 'server.log');
  const logged = await limitLog(logFile);
  const all = {
    listen_addresses: HOST,
    // Sockets in the file system add nothing but a limit on the length of the path.
    unix_socket_directories: '',
    // A line every five minutes that no reader needs.
    log_checkpoints: 'off',
    ...settings,
  };
  const serverArgs = ['-p', `${port}`];
  for (const [name, value] of Object.entries(all)) {
    serverArgs.push('-c', quoteForShell(`${name}=${value}`));
  }
  const args = ['start', '-w', '-t', `${START_TIMEOUT_SECONDS}`, '-D', cluster.folder, '-l', logFile];
  try {
    await run(cluster.binaries.pgCtl, [...args, '-o', serverArgs.join(' ')], cluster.osUser);
  } catch (cause) {
    const log = await readFile(logFile).catch(() => Buffer.alloc(0));
    const news = log.subarray(logged).toString().trim().slice(-2000);
    throw new Error(`PostgreSQL did not start on ${cluster.folder}. ${news || (cause as Error).message}`, {
      cause,
    });
  }
}

async function leaveServer(cluster: PostgresCluster, joined: Session): Promise<void> {
  // After a restart of the server our lock is gone, but other processes may hold theirs.
  const session = joined.lost ? await joinServer(cluster) : joined;
  if (!session) {
    return;
  }
  // Unlock, then try to lock: if two processes leave at once, at least one finds that it is the last.
  await query(session, 'SELECT pg_advisory_unlock_shared($1)', USERS_LOCK);
  const isLast = await query(session, 'SELECT pg_try_advisory_lock($1)', USERS_LOCK);
  if (isLast) {
    await run(cluster.binaries.pgCtl, ['stop', '-m', 'fast', '-w', '-D', cluster.folder], cluster.osUser);
  }
  // The server has ended it by now if we stopped it.
  session.client.ref();
  await session.client.end();
}

/** The wanted port if it is free, else any free one. */
async function findPort(wanted: number): Promise<number> {
  const server = createServer().listen(wanted, HOST);
  try {
    await once(server, 'listening');
  } catch (error) {
    if (wanted === 0) {
      throw error;
    }
    return findPort(0);
  }
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** The port of the last start, so that connections and bookmarks survive a restart; 0 when there was none. */
async function readFormerPort(folder: string): Promise<number> {
  const options = await readFile(join(folder, 'postmaster.opts'), 'utf8').catch(() => '');
  return Number(/"-p" "(\d+)"/.exec(options)?.[1] ?? 0);
}

/** Starts a new log when the old one has grown, and keeps the last one; returns its size. */
async function limitLog(file: string): Promise<number> {
  const size = (await stat(file).catch(() => undefined))?.size ?? 0;
  if (size <= MAX_LOG_BYTES) {
    return size;
  }
  await rename(file, `${file}.1`);
  return 0;
}

/** pg_ctl hands the options of the server to a shell. */
function quoteForShell(text: string): string {
  return process.platform === 'win32'
    ? `"${text.replaceAll('"', '\\"')}"`
    : `'${text.replaceAll("'", "'\\''")}'`;
}
