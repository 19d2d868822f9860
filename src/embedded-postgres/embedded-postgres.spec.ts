import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import pg from 'pg';
import { eventually } from '../../test/support/eventually.js';
import {
  type EmbeddedPostgres,
  removeEmbeddedPostgresData,
  startEmbeddedPostgres,
} from './embedded-postgres.js';

const settings = { fsync: 'off', full_page_writes: 'off' };

/** A program of its own that starts the database, prints its port and waits to be killed. */
const OWNER = `
  import { registerHooks } from 'node:module';
  registerHooks({
    resolve: (specifier, context, next) =>
      next(specifier.startsWith('./') ? specifier.replace(/[.]js$/, '.ts') : specifier, context),
  });
  const { startEmbeddedPostgres } = await import(process.argv[1]);
  const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2] });
  console.log(postgres.port);
  setInterval(() => undefined, 1000);
`;

describe('startEmbeddedPostgres', () => {
  let dataDir: string;
  const started: EmbeddedPostgres[] = [];

  beforeAll(() => {
    dataDir = mkdtempSync(join(tmpdir(), 'slipway-postgres-'));
  });

  afterEach(async () => {
    for (const postgres of started.splice(0)) {
      await postgres.stop();
    }
  });

  afterAll(async () => {
    await removeEmbeddedPostgresData(dataDir);
    rmSync(dataDir, { recursive: true, force: true });
  });

  it('creates a database for several callers at once', async () => {
    const [first, second] = await Promise.all([start(), start()]);

    expect(second.url).toBe(first.url);
    expect(await select(first.url, 'SELECT current_database()')).toBe('slipway');
    expect(await select(first.url, 'SELECT version()')).toContain('PostgreSQL 18');
    expect(await select(first.url, 'SHOW fsync')).toBe('off');
    expect(await select(first.url, 'SHOW server_encoding')).toBe('UTF8');
    expect(await select(first.url, "SELECT upper('é')")).toBe('É');
    expect(await select(first.url, 'SHOW listen_addresses')).toBe('127.0.0.1');
    expect(await select(first.url, 'SHOW unix_socket_directories')).toBe('');
    expect(await select(first.url, 'SHOW data_directory')).toBe(first.dataFolder);
    await expect(select(first.url.replace(/:[^:@]*@/, ':wrong@'), 'SELECT 1')).rejects.toThrow('password');
    if (process.platform !== 'win32') {
      expect(statSync(join(first.dataFolder, 'slipway.password')).mode & 0o777).toBe(0o600);
    }
    expect(readdirSync(dirname(first.dataFolder))).toEqual(['postgres']);

    await first.stop();
    expect(await isListening(first.port)).toBe(true);
    await second.stop();
    expect(await isListening(first.port)).toBe(false);
    await second.stop();
  });

  it('keeps the data, the password and the port', async () => {
    const before = await start();
    await select(before.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    await before.stop();

    const after = await start();

    expect(after.url).toBe(before.url);
    expect(await select(after.url, 'SELECT answer FROM kept')).toBe(42);
    await after.stop();
  });

  it('takes another port when its own is taken', async () => {
    const before = await start();
    await before.stop();
    const squatter = createServer().listen(before.port, '127.0.0.1');
    await once(squatter, 'listening');

    const after = await start();
    squatter.close();

    expect(after.port).not.toBe(before.port);
    expect(await select(after.url, 'SELECT 1')).toBe(1);
    await after.stop();
  });

  it('passes any value of a setting on to the server, and reports what it objects to', async () => {
    const postgres = await start({ cluster_name: `it's "$HOME"` });
    const name = await select(postgres.url, 'SHOW cluster_name');
    await postgres.stop();
    expect(name).toBe(`it's "$HOME"`);

    await expect(start({ work_mem: 'plenty' })).rejects.toThrow(/did not start.*"work_mem": "plenty"/s);
  });

  it('joins and later stops the server of a process that was killed', async () => {
    const program = spawn(
      process.execPath,
      ['--input-type=module', '-e', OWNER, join(import.meta.dirname, 'embedded-postgres.ts'), dataDir],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    const [line] = (await once(program.stdout, 'data')) as [Buffer];
    program.kill('SIGKILL');
    await once(program, 'exit');
    const port = Number(line.toString());
    expect(await isListening(port)).toBe(true);

    const postgres = await start();

    expect(postgres.port).toBe(port);
    await postgres.stop();
    // It has no parent process any more. Its files show that it has ended, a moment before the port is free.
    await eventually(async () => expect(await isListening(port)).toBe(false));
  });

  it('recovers when the server itself was killed', async () => {
    const before = await start();
    const pid = Number.parseInt(readFileSync(join(before.dataFolder, 'postmaster.pid'), 'utf8'), 10);
    process.kill(pid, 'SIGKILL');

    const after = await start();

    expect(await select(after.url, 'SELECT 1')).toBe(1);
    await before.stop();
    expect(await isListening(after.port)).toBe(true);
    await after.stop();
    expect(await isListening(after.port)).toBe(false);
  });

  it('is not misled by a process id that now belongs to another program', async () => {
    const before = await start();
    const pidFile = join(before.dataFolder, 'postmaster.pid');
    const content = readFileSync(pidFile, 'utf8');
    await before.stop();
    writeFileSync(pidFile, content.replace(/^\d+/, `${process.pid}`));

    const after = await start();

    expect(await select(after.url, 'SELECT 1')).toBe(1);
    await after.stop();
  });

  it('begins with an empty database when its folder is gone, whatever a killed initdb left', async () => {
    const before = await start();
    await before.stop();
    rmSync(before.dataFolder, { recursive: true });
    const remains = join(dirname(before.dataFolder), 'postgres.unfinished-999999999-abcdef');
    mkdirSync(join(remains, 'data'), { recursive: true });

    const after = await start();

    expect(await select(after.url, "SELECT to_regclass('kept')")).toBeNull();
    expect(existsSync(remains)).toBe(false);
  });

  it('removes everything, also twice', async () => {
    const postgres = await start();
    await expect(removeEmbeddedPostgresData(dataDir)).rejects.toThrow('is running');
    await postgres.stop();

    await removeEmbeddedPostgresData(dataDir);
    await removeEmbeddedPostgresData(dataDir);

    expect(existsSync(postgres.dataFolder)).toBe(false);
    expect(readdirSync(dataDir)).toEqual([]);
  });

  async function start(more: Record<string, string> = {}): Promise<EmbeddedPostgres> {
    const postgres = await startEmbeddedPostgres({ dataDir, settings: { ...settings, ...more } });
    started.push(postgres);
    return postgres;
  }
});

async function select(url: string, sql: string): Promise<unknown> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end();
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
