import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateApiToken } from '../src/common/access/api-token.ts';
import { builtDatabase } from '../test/setup/built.ts';
import { SHIPPED_OPTIONS } from '../test/setup/node-options.ts';
import { type ServerProcess, startServer } from '../test/setup/server.ts';
import type { Build } from './build-of-commit.ts';
import { withRemoval } from './removal.ts';

/** Variables that a server of a benchmark takes over, so that a benchmark can be run with other values. */
const PASSED_ON = ['WORKERS', 'DATABASE_POOL_SIZE', 'LOG_LEVEL'];

/** A temporary Slipway: PostgreSQL, a server, and the token of the owner of its only organization. */
export interface Instance {
  readonly server: ServerProcess;
  readonly origin: string;
  readonly databaseUrl: string;
  readonly token: string;
  /** The server's `DATA_DIR`, removed at the end. */
  readonly folder: string;
  /** Starts another server on the same database and folder; it is stopped with the first one, if not before. */
  startReplica(env?: Readonly<Record<string, string>>, under?: readonly string[]): Promise<ServerProcess>;
  /** Sends a request with the token. @throws Error for an answer that is no success */
  call<T>(method: string, path: string, body?: object): Promise<T>;
}

export interface InstanceOptions {
  /** Variables of the servers besides the usual ones. */
  readonly env?: Readonly<Record<string, string>>;
  /** What the first server is started with, such as `onCore(0)`. */
  readonly under?: readonly string[];
  /** Settings of PostgreSQL besides the usual ones. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Options of Node.js for the servers besides the usual ones, such as `--cpu-prof`. */
  readonly nodeOptions?: readonly string[];
  /** The server of another commit, instead of the one of this working tree. */
  readonly build?: Build;
}

/** Starts a temporary instance, works with it, and removes all of it again, also when it is interrupted. */
export async function withInstance(
  work: (instance: Instance) => Promise<void>,
  { env = {}, under = [], settings = {}, nodeOptions = [], build }: InstanceOptions = {},
): Promise<void> {
  const { removeEmbeddedPostgresData, migrate, startEmbeddedPostgres } = await builtDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'slipway-bench-'));
  const servers: ServerProcess[] = [];
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    settings: { max_connections: '300', ...settings },
  });
  const remove = async (): Promise<void> => {
    await Promise.all(servers.map((server) => server.stop()));
    await postgres.stop();
    await removeEmbeddedPostgresData(folder);
    await rm(folder, { recursive: true, force: true });
  };
  await withRemoval(remove, async () => {
    await (build ?? { migrate }).migrate(postgres.url);
    const token = generateApiToken();
    const start = async (own: Readonly<Record<string, string>>, launcher: readonly string[]) => {
      const variables = {
        DATABASE_URL: postgres.url,
        DATA_DIR: folder,
        BOOTSTRAP_EMAIL: 'bench@example.com',
        BOOTSTRAP_TOKEN: token,
        RATE_LIMIT_TOKEN: '0',
        // As in the image.
        MALLOC_ARENA_MAX: '2',
        NODE_COMPILE_CACHE: '',
        ...passedOn(),
        // Scenarios invent more devices than strangers may.
        NEW_DEVICES_PER_APP: '0',
        ...env,
        ...own,
      };
      const server = await startServer(variables, {
        under: launcher,
        keepLog: false,
        nodeOptions: [...(build?.nodeOptions ?? SHIPPED_OPTIONS), ...nodeOptions],
        ...(build && { program: build.program }),
      });
      servers.push(server);
      return server;
    };
    const server = await start({}, under);
    await work({
      server,
      origin: server.origin,
      databaseUrl: postgres.url,
      token,
      folder,
      startReplica: (own = {}, launcher = []) => start(own, launcher),
      call: (method, path, body) => call(server.origin, token, method, path, body),
    });
  });
}

async function call<T>(
  origin: string,
  token: string,
  method: string,
  path: string,
  body?: object,
): Promise<T> {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  const init = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(origin + path, { method, headers, ...init });
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
  const text = await response.text();
  return (text === '' ? undefined : JSON.parse(text)) as T;
}

function passedOn(): Record<string, string> {
  return Object.fromEntries(
    PASSED_ON.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
