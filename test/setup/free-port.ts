import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that the system gives to outgoing connections and to servers that ask for any (from 32768 on Linux):
 * these could take a port while the server that it is for is away.
 */
const FIRST_PORT = 16_000;
/** Each process that runs tests has its own, so that none takes what another has chosen. */
const PORTS_PER_WORKER = 2_000;
const WORKERS = 8;

const chosen = new Set<number>();

/**
 * Chooses a TCP port of 127.0.0.1 for a server that keeps it over restarts. Each call chooses another.
 *
 * @throws Error when none can be used
 */
export async function freePort(): Promise<number> {
  const worker = Number(process.env['JEST_WORKER_ID'] ?? 0) % WORKERS;
  const first = FIRST_PORT + worker * PORTS_PER_WORKER;
  for (let attempt = 0; attempt < 100; attempt++) {
    const port = first + Math.floor(Math.random() * PORTS_PER_WORKER);
    if (chosen.has(port) || !(await isFree(port))) continue;
    chosen.add(port);
    return port;
  }
  throw new Error(`No port from ${first} on is free.`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
