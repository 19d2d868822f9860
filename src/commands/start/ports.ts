import { once } from 'node:events';
import { createServer } from 'node:net';
import type { HttpConfig } from '../../config/groups/http-config.js';

type Listener = Pick<HttpConfig, 'host' | 'port' | 'metricsPort'>;

/**
 * Checks that the process can listen, before the rest of the start takes its time.
 *
 * @throws Error that names the variable to change
 */
export async function assertPortsFree({ host, port, metricsPort }: Listener): Promise<void> {
  await assertFree(host, port, 'PORT');
  if (metricsPort !== 0) await assertFree(host, metricsPort, 'METRICS_PORT');
}

async function assertFree(host: string, port: number, variable: string): Promise<void> {
  const server = createServer().listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, host, port, variable);
  }
  server.close();
  await once(server, 'close');
}

/** Names the variable to change when a process cannot listen. */
export function listenError(error: unknown, host: string, port: number, variable = 'PORT'): Error {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'EADDRINUSE':
      return new Error(
        `Port ${port} is in use by another program: stop it, or set ${variable} to another port, such as ${variable}=${port === 65535 ? 3000 : port + 1}.`,
      );
    case 'EACCES':
      return new Error(
        `This user is not allowed to listen on port ${port}: set ${variable} to 1024 or higher.`,
      );
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new Error(
        `HOST=${host} is not an address of this machine: set HOST to one, such as 127.0.0.1, or to 0.0.0.0 for all.`,
      );
    default:
      return new Error(`Cannot listen on port ${port} of ${host}: ${message}. Change HOST or ${variable}.`);
  }
}
