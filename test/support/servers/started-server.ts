import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NODE_COMPILE_CACHE, QUICK_OPTIONS } from '../../setup/node-options.js';
import { removeEmbeddedPostgresData } from '../../../src/embedded-postgres/embedded-postgres.js';
import { eventually } from '../eventually.js';
import { Api } from '../http/api.js';
import { temporaryFolder } from '../processes/temporary-folders.js';

const MAIN = join(import.meta.dirname, '../../../dist/slipway.js');

/** What `npm start` starts with an embedded database and a built-in runner. */
export class StartedServer {
  output = '';
  readonly exited: Promise<unknown>;

  private constructor(
    readonly child: ChildProcess,
    readonly dataDir: string,
  ) {
    this.exited = once(child, 'exit');
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += chunk.toString()));
    }
  }

  static async start(dataDir: string, env: Record<string, string> = {}): Promise<StartedServer> {
    const child = spawn(process.execPath, [...QUICK_OPTIONS, MAIN, 'start'], {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        HOST: '127.0.0.1',
        PORT: '0',
        DATA_DIR: dataDir,
        RUNNER: '1',
        NODE_COMPILE_CACHE,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const server = new StartedServer(child, dataDir);
    await eventually(() => expect(server.output).toContain('kept in'));
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${/"port":(\d+),"msg":"Listening"/.exec(this.output)?.[1]}`;
  }

  async api(): Promise<Api> {
    return new Api(this.origin, (await readFile(join(this.dataDir, 'token'), 'utf8')).trim());
  }

  async waitForRunner(): Promise<void> {
    await eventually(() => expect(this.output).toMatch(/Runner: Runner \S+ waits for jobs/));
  }

  /** The process id of the runner, by the token file in its environment. */
  runnerPid(): number {
    return Number(/"pid":(\d+),"msg":"The built-in runner has started"/.exec(this.output)?.[1]);
  }
}

const servers: StartedServer[] = [];
const dataDirs: string[] = [];
afterEach(async () => {
  for (const { child, exited } of servers.splice(0)) {
    child.kill('SIGTERM');
    await exited;
  }
});
afterAll(async () => {
  for (const dataDir of dataDirs) await removeEmbeddedPostgresData(dataDir);
});

/** An empty `DATA_DIR`. What is left of it is removed after the spec file. */
export async function newDataDir(): Promise<string> {
  const dataDir = await temporaryFolder();
  // PostgreSQL may run as another operating-system user.
  await chmod(dataDir, 0o711);
  dataDirs.push(dataDir);
  return dataDir;
}

/** Starts a server, which is stopped after the test. */
export async function startInstallation(
  dataDir: string,
  env?: Record<string, string>,
): Promise<StartedServer> {
  const server = await StartedServer.start(dataDir, env);
  servers.push(server);
  return server;
}
