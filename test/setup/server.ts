import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { NODE_COMPILE_CACHE, QUICK_OPTIONS } from './node-options.ts';
import { storageEnv } from './object-storage.ts';

const MAIN = join(import.meta.dirname, '../../dist/slipway.js');

/** A server process of a test's own. */
export interface ServerProcess {
  /** Such as `http://127.0.0.1:40123`. */
  readonly origin: string;
  readonly process: ChildProcess;
  /** The lines that it has logged so far. */
  readonly log: readonly string[];
  /** `false` once it has ended, whatever the reason. */
  readonly isRunning: boolean;
  /** Ends it as Kubernetes would. Resolves to the exit code. */
  stop(): Promise<number | null>;
  /** Ends it at once, as a power failure would. */
  kill(): Promise<void>;
}

/**
 * All suites call from one address, which no limit of an address is made for. They still count, and the limit of a
 * token is the usual one.
 */
const LIMITS = { RATE_LIMIT_ADDRESS: '1000000', RATE_LIMIT_SIGN_IN: '50000' };

/** Work of another process, or whose time has come, is seen soon. */
const QUEUE = { QUEUE_POLL_SECONDS: '1' };

/** The servers that tests start are on this address, and nothing else is. */
const OUTBOUND = { OUTBOUND_ALLOW: '127.0.0.1' };

/** No test calls a real store: nothing listens there. */
const STORES = { GOOGLE_PLAY_URL: 'http://127.0.0.1:9', GOOGLE_TOKEN_URL: 'http://127.0.0.1:9/token' };

/** The key that all test servers share, so that one opens what another signed. */
export const ENCRYPTION_KEY = Buffer.alloc(32, 7).toString('base64');

/** How a server is started, where it is not the usual. */
export interface StartOptions {
  /** A command that is given the server's, such as `taskset -c 0`, and becomes it. */
  readonly under?: readonly string[];
  /**
   * What `log` gets after the server listens: everything, the lines about responses with status 500, or nothing, which costs
   * next to nothing.
   */
  readonly keepLog?: boolean | '500';
  /** The program, if not `dist/slipway.js`. */
  readonly program?: string;
  /** Options of Node.js. */
  readonly nodeOptions?: readonly string[];
}

/**
 * Starts the built server on a free port of 127.0.0.1 and waits until it listens.
 *
 * @param env its environment variables besides the usual ones
 */
export async function startServer(
  env: Readonly<Record<string, string>>,
  { under = [], keepLog = true, program = MAIN, nodeOptions = QUICK_OPTIONS }: StartOptions = {},
): Promise<ServerProcess> {
  const startedAt = performance.now();
  const [command = process.execPath, ...args] = [...under, process.execPath, ...nodeOptions, program];
  const child = spawn(command, args, {
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_LEVEL: 'info',
      LOG_PRETTY: 'false',
      NODE_COMPILE_CACHE,
      ENCRYPTION_KEY,
      ...LIMITS,
      ...QUEUE,
      ...OUTBOUND,
      ...STORES,
      ...storageEnv(env['DATA_DIR']),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const log: string[] = [];
  const exited = once(child, 'exit') as Promise<[number | null]>;
  let end = '';
  child.stderr.on('data', (chunk: Buffer) => (end = (end + chunk.toString()).slice(-4000)));
  const port = await new Promise<number>((resolve, reject) => {
    let isListening = false;
    const lines = createInterface(child.stdout).on('line', (line) => {
      if (isListening && keepLog === '500' && !line.includes('"status":500')) return;
      log.push(line);
      if (log.length > 5000) log.shift();
      const listening = /"port":(\d+),"msg":"Listening"/.exec(line);
      if (!listening) return;
      resolve(Number(listening[1]));
      isListening = true;
      if (keepLog !== false) return;
      lines.close();
      child.stdout.resume();
    });
    void exited.then(([code]) =>
      reject(new Error(`The server ended with ${code}:\n${log.join('\n')}\n${end}`)),
    );
  });
  globalThis.addServerStart?.(performance.now() - startedAt);
  return {
    origin: `http://127.0.0.1:${port}`,
    process: child,
    log,
    get isRunning() {
      return child.exitCode === null && child.signalCode === null;
    },
    stop: async () => {
      child.kill('SIGTERM');
      return (await exited)[0];
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
  };
}
