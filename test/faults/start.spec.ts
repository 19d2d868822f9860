import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { builtDatabase } from '../setup/built.js';
import { cloneDatabase, dropDatabase, query } from '../setup/databases.js';
import { startServer } from '../setup/server.js';
import { testEnvironment } from '../setup/test-environment.js';
import { processesOn } from '../support/processes/processes-on.js';
import { type ProgramResult, runProgram, startProgram } from '../support/processes/programs.js';

/* What a start says when it fails, and how it ends. */

const LISTEN = { HOST: '127.0.0.1', PORT: '0', LOG_PRETTY: 'false' };

let dataDir: string;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'slipway-start-'));
});
afterAll(async () => {
  await (await builtDatabase()).removeEmbeddedPostgresData(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

/** A start that must fail. */
async function failedStart(env: Readonly<Record<string, string>>, databaseUrl = ''): Promise<string> {
  const { code, err } = await runProgram('start', { databaseUrl, dataDir }, { env: { ...LISTEN, ...env } });
  expect(code).toBe(1);
  return err;
}

it.each([
  [
    { HOST: '999.1.1.1' },
    'HOST must be an IP address of this machine, such as 127.0.0.1, or 0.0.0.0 for all.',
  ],
  [
    { TRUST_PROXY: '10.0.0.0/99' },
    'TRUST_PROXY must be false, a number of hops such as 1, or a list of addresses and networks such as loopback,10.0.0.0/8.',
  ],
  [
    { OIDC_CLIENT_ID: 'slipway' },
    'OIDC_CLIENT_ID has no effect without OIDC_ISSUER, such as OIDC_ISSUER=https://login.example.com.',
  ],
  [
    { HOST: '192.0.2.1' },
    'HOST=192.0.2.1 is not an address of this machine: set HOST to one, such as 127.0.0.1, or to 0.0.0.0 for all.',
  ],
])('names the variable and the accepted form for %j', async (env, sentence) => {
  expect(await failedStart(env as Record<string, string>)).toBe(`${sentence}\n`);
});

it.each([
  ['/proc/slipway', 'no such file or directory (ENOENT)'],
  ['/dev/null', 'it is a file'],
])('says that DATA_DIR=%s cannot be created', async (folder, reason) => {
  const { code, err } = await runProgram(
    'start',
    { databaseUrl: '', dataDir: folder },
    { env: { ...LISTEN, ENCRYPTION_KEY: '', STORAGE: 'disk' } },
  );
  expect({ code, err }).toEqual({
    code: 1,
    err: `DATA_DIR=${folder} is not a folder and cannot be created: ${reason}.\n`,
  });
});

it('says that the port is in use before it makes a database', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  expect(await failedStart({ PORT: String(port) })).toBe(
    `Port ${port} is in use by another program: stop it, or set PORT to another port, such as PORT=${port + 1}.\n`,
  );
  expect(existsSync(join(dataDir, 'postgres'))).toBe(false);
  other.close();
});

describe('with DATABASE_URL', () => {
  let url: string;

  beforeAll(async () => {
    url = await cloneDatabase(testEnvironment().templateUrl);
  });
  afterAll(() => dropDatabase(url));

  it('says what to run when the database is not migrated', async () => {
    const empty = new URL(url);
    empty.pathname += '_empty';
    await query(testEnvironment().databaseUrl, `CREATE DATABASE ${empty.pathname.slice(1)}`);
    const [row] = await query<{ count: number }>(url, 'SELECT count(*)::int FROM migrations');
    expect(await failedStart({}, empty.href)).toBe(
      `The database at DATABASE_URL is not migrated (missing migrations: ${row?.count}): run "slipway migrate", in a checkout "npm run slipway -- migrate".\n`,
    );
    await dropDatabase(empty.href);
  });

  it('says in one sentence that the object storage does not respond', async () => {
    const env = {
      STORAGE: 's3',
      S3_ENDPOINT: 'http://127.0.0.1:9',
      S3_BUCKET: 'files',
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'id',
      S3_SECRET_ACCESS_KEY: 'secret',
    };
    const place = { databaseUrl: url, dataDir };
    const { code, out, err } = await runProgram('start', place, { env: { ...LISTEN, ...env } });
    expect(code).toBe(1);
    expect(err).toMatch(
      /^The object storage at http:\/\/127\.0\.0\.1:9 \(S3_ENDPOINT, S3_REGION\) does not respond: .+\.\n$/,
    );
    expect(out).not.toContain('"stack"');
  });

  it('starts on a database that is newer, with a warning', async () => {
    await query(url, `INSERT INTO migrations (timestamp, name) VALUES (9999999999999, 'Later9999999999999')`);
    const server = await startServer({ DATABASE_URL: url, DATA_DIR: dataDir });
    const warning = server.log.map((line) => JSON.parse(line) as { msg: string; level: unknown });
    expect(warning).toContainEqual(
      expect.objectContaining({
        msg: 'The database is newer than this program (its newest migration is Later9999999999999): run the version that migrated it, unless you are updating.',
      }),
    );
    expect(await server.stop()).toBe(0);
    await query(url, `DELETE FROM migrations WHERE name LIKE 'Later%'`);
  });

  it('refuses another ENCRYPTION_KEY than that of the database', async () => {
    const server = await startServer({ DATABASE_URL: url, DATA_DIR: dataDir });
    expect(await server.stop()).toBe(0);
    const ENCRYPTION_KEY = Buffer.alloc(32, 8).toString('base64');
    expect(await failedStart({ ENCRYPTION_KEY }, url)).toBe(
      'ENCRYPTION_KEY is not the key that this database was started with: restore that key, or add it to ENCRYPTION_KEYS_OLD if you are changing keys.\n',
    );
  });
});

describe('with the embedded database', () => {
  /** Sends SIGTERM when the log has a text. */
  async function stopAt(marker: string, env: Readonly<Record<string, string>> = {}): Promise<ProgramResult> {
    const child = startProgram(
      'start',
      { databaseUrl: '', dataDir },
      { env: { ...LISTEN, ENCRYPTION_KEY: '', ...env } },
    );
    const exited = once(child, 'exit') as Promise<[number]>;
    const err = text(child.stderr);
    let out = '';
    child.stdout.on('data', (chunk: Buffer) => {
      const isSeen = out.includes(marker);
      out += chunk.toString();
      if (!isSeen && out.includes(marker)) child.kill('SIGTERM');
    });
    const [code] = await exited;
    return { code, out, err: await err };
  }

  async function expectNoPostgres(): Promise<void> {
    const folder = await realpath(join(dataDir, 'postgres')).catch(() => join(dataDir, 'postgres'));
    expect(await processesOn(folder)).toEqual([]);
  }

  // In this order: each start gets further than the one before it.
  it.each([
    ['creates the cluster', 'Creating a PostgreSQL database cluster', '1'],
    ['migrates', '"PostgreSQL is running on', '1'],
    ['starts the application', 'Migrated the schema', '1'],
    ['starts workers', 'PostgreSQL is running on', '2'],
    ['listens', '"Listening"', '1'],
  ])(
    'ends with 0 at SIGTERM while it %s, and leaves no PostgreSQL behind',
    async (_phase, marker, WORKERS) => {
      const { code, out, err } = await stopAt(marker, { WORKERS });
      expect(out).toContain(marker);
      expect({ code, err }).toEqual({ code: 0, err: '' });
      expect(out).toContain('"msg":"Stopped"');
      await expectNoPostgres();
    },
  );

  const embedded = (): Promise<string> => failedStart({ ENCRYPTION_KEY: '' });

  it.each(['encryption-key', 'token'])('names a damaged or empty %s file', async (name) => {
    const path = join(dataDir, name);
    const former = await readFile(path, 'utf8');
    const remedy =
      name === 'token'
        ? 'Delete it, or restore it from a backup. The token itself stays valid.'
        : 'It must hold 44 characters of Base64: restore it from a backup.';
    for (const damaged of [former.slice(0, 20), '']) {
      await writeFile(path, damaged);
      expect(await embedded()).toBe(`${path} is damaged. ${remedy}\n`);
    }
    await writeFile(path, former);
    await expectNoPostgres();
  });

  it('names a key file with the key of another database', async () => {
    const path = join(dataDir, 'encryption-key');
    const former = await readFile(path, 'utf8');
    await writeFile(path, `${Buffer.alloc(32, 8).toString('base64')}\n`);
    expect(await embedded()).toBe(
      `${path} is not the key that this database was started with: restore that key, or add it to ENCRYPTION_KEYS_OLD if you are changing keys.\n`,
    );
    await writeFile(path, former);
    await expectNoPostgres();
  });

  it('starts without the token file, and says where to create a token', async () => {
    const token = (await readFile(join(dataDir, 'token'), 'utf8')).trim();
    await rm(join(dataDir, 'token'));
    const { code, out } = await stopAt('Slipway is running.');
    expect(code).toBe(0);
    expect(out).not.toContain(token);
    expect(out).toMatch(/^ {2}API token {4}create one at http:\/\/localhost:\d+\/settings\/tokens$/m);
    expect(out).toContain(`(there is no ${join(dataDir, 'token')})`);
    expect(existsSync(join(dataDir, 'token'))).toBe(false);
  });
});
