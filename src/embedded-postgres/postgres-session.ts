import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { POSTGRES_USER, type PostgresCluster, readPostmaster } from './postgres-cluster.js';
import { run } from './postgres-os.js';
import { HOST, START_TIMEOUT_SECONDS } from './postgres-server.js';

/** The database of the installation. */
export const DATABASE = 'slipway';

/**
 * The SQLSTATE of a refusal that waiting does not change, a wrong password for example. Of the others, 57 is a
 * server that starts or stops, and 53 one that has too many connections for now.
 */
const REFUSED_FOR_GOOD = /^(?!57|53)\d[0-9A-Z]{4}$/;

/** The advisory lock, in the database `postgres`, that every process which uses the server shares. */
const USERS_LOCK = 7_547_929;

/** Our connection that says "in use". */
export interface Session {
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
export async function joinServer(cluster: PostgresCluster): Promise<Session | undefined> {
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

/** Creates the database `slipway`, unless it exists. */
export async function createDatabase(session: Session): Promise<void> {
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

/** Gives the session back, and stops the server if it was the last one that uses it. */
export async function leaveServer(cluster: PostgresCluster, joined: Session): Promise<void> {
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
