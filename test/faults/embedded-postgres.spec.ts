import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { builtDatabase } from '../setup/built.js';
import { type ServerProcess, startServer } from '../setup/server.js';
import { eventually } from '../support/eventually.js';

let dataDir: string;
let server: ServerProcess;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'slipway-embedded-'));
});
afterEach(async () => {
  if (server.process.exitCode === null) await server.stop();
  await (await builtDatabase()).removeEmbeddedPostgresData(dataDir);
  await rm(dataDir, { recursive: true, force: true });
});

const logged = (text: string): number => server.log.filter((line) => line.includes(text)).length;

const start = async (workers = '1'): Promise<void> => {
  server = await startServer({ DATA_DIR: dataDir, WORKERS: workers });
  await eventually(() => expect(logged('"msg":"Listening"')).toBe(Number(workers)));
};

const postmaster = async (): Promise<number> =>
  Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10);

/** A process that has ended can stay as a zombie, where nothing collects it. */
async function isRunning(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return /^\d+ \(postgres\) [^ZX]/.test(stat);
}

/** A request that reads the database. */
async function statusOfUser(): Promise<number> {
  const token = (await readFile(join(dataDir, 'token'), 'utf8')).trim();
  const response = await fetch(`${server.origin}/v1/users/me`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  return response.status;
}

it.each(['1', '2'])(
  'starts PostgreSQL again each time that it was killed, with WORKERS=%s',
  async (workers) => {
    await start(workers);
    expect(await statusOfUser()).toBe(200);
    for (let deaths = 1; deaths <= 2; deaths++) {
      const killed = await postmaster();
      process.kill(killed, 'SIGKILL');
      await eventually(async () => {
        expect(await postmaster()).not.toBe(killed);
        expect(await statusOfUser()).toBe(200);
        expect(logged('PostgreSQL is running again')).toBe(deaths);
      });
    }
    const last = await postmaster();
    expect(await server.stop()).toBe(0);
    expect(await isRunning(last)).toBe(false);
  },
);

it.each(['1', '2'])(
  'ends with a message when PostgreSQL cannot be started again, with WORKERS=%s',
  async (workers) => {
    await start(workers);
    let errors = '';
    server.process.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    const exited = once(server.process, 'exit');
    await rm(join(dataDir, 'postgres/global'), { recursive: true });
    process.kill(await postmaster(), 'SIGKILL');
    expect(await exited).toEqual([1, null]);
    expect(errors).toMatch(/^The embedded PostgreSQL has died and cannot be started again: .+/m);
    await eventually(() => expect(statusOfUser()).rejects.toThrow('fetch failed'));
  },
);

it('stops, and leaves no PostgreSQL behind, when both get a signal at once', async () => {
  await start();
  const killed = await postmaster();
  process.kill(killed, 'SIGKILL');
  expect(await server.stop()).toBe(0);
  const pid = existsSync(join(dataDir, 'postgres/postmaster.pid')) ? await postmaster() : killed;
  expect(await isRunning(pid)).toBe(false);
});
