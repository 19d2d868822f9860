import { once } from 'node:events';
import { readFile, rename, stat } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { type PostgresCluster, removeMisleadingPidFile } from './postgres-cluster.js';
import { run } from './postgres-os.js';

/** Where the server listens. */
export const HOST = '127.0.0.1';

/** Long enough for a recovery after a crash. */
export const START_TIMEOUT_SECONDS = 120;

const MAX_LOG_BYTES = 5_000_000;

/**
 * Starts the server of the cluster and waits until it accepts connections.
 *
 * @throws Error with what the server logged, when it does not start
 */
export async function launchServer(
  cluster: PostgresCluster,
  settings: Record<string, string>,
  port: number,
): Promise<void> {
  await removeMisleadingPidFile(cluster.folder);
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

/** The wanted port if it is free, else any free one. */
export async function findPort(wanted: number): Promise<number> {
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
export async function readFormerPort(folder: string): Promise<number> {
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
