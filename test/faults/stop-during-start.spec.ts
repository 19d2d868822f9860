import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cloneDatabase, dropDatabase } from '../setup/databases.js';
import { NODE_COMPILE_CACHE } from '../setup/node-options.js';
import { ENCRYPTION_KEY } from '../setup/server.js';
import { testEnvironment } from '../setup/test-environment.js';
import { eventually } from '../support/eventually.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';

/* SIGTERM at any moment of a start, from the first instruction of the process to the last. */

const ROOT = join(import.meta.dirname, '../..');
const MOMENTS = 20;
/** Milliseconds after which a process that goes on has lost the signal: more than a whole start and a stop take. */
const LOST = 60_000;

let databaseUrl: string;
let dataDir: string;

beforeAll(async () => {
  databaseUrl = await cloneDatabase(testEnvironment().templateUrl);
  dataDir = await temporaryFolder();
});
afterAll(() => dropDatabase(databaseUrl));

/** A start in a process group of its own, which its workers belong to. */
interface Start {
  readonly process: ChildProcess;
  /** Everything it has printed. */
  output(): string;
}

function start(program: string, workers: string): Start {
  const child = spawn(process.execPath, [join(ROOT, program)], {
    cwd: ROOT,
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOST: '127.0.0.1',
      PORT: '0',
      LOG_PRETTY: 'false',
      DATABASE_URL: databaseUrl,
      DATA_DIR: dataDir,
      WORKERS: workers,
      ENCRYPTION_KEY,
      NODE_COMPILE_CACHE,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
  return { process: child, output: () => output };
}

/** How long a start takes until all of its processes listen, in milliseconds. */
async function durationOf(program: string, workers: string): Promise<number> {
  const startedAt = performance.now();
  const { process: child, output } = start(program, workers);
  await eventually(() => expect(output().split('"msg":"Listening"')).toHaveLength(Number(workers) + 1), LOST);
  const duration = performance.now() - startedAt;
  child.kill('SIGTERM');
  await once(child, 'exit');
  return duration;
}

/** @returns how the start ended, and what is left of it */
async function stopAfter(milliseconds: number, program: string, workers: string): Promise<string> {
  const { process: child, output } = start(program, workers);
  const exited = once(child, 'exit');
  await sleep(milliseconds);
  child.kill('SIGTERM');
  const isOver = await Promise.race([exited.then(() => true), sleep(LOST, false, { ref: false })]);
  const isLeft = isGroupAlive(child.pid ?? 0);
  if (isLeft) process.kill(-(child.pid ?? 0), 'SIGKILL');
  if (!isOver) return 'goes on';
  if (isLeft) return 'left a process';
  // Until the first line of the program the system ends it, and until the first step of the start the program itself.
  const isEarly = !output().includes('"msg"');
  const end = child.signalCode ?? String(child.exitCode);
  return isEarly && ['SIGTERM', '143'].includes(end) ? '0' : end;
}

function isGroupAlive(pid: number): boolean {
  try {
    return process.kill(-pid, 0);
  } catch {
    return false;
  }
}

it.each([
  ['dist/slipway.js', '1'],
  ['dist/slipway.js', '2'],
  ['scripts/slipway.js', '1'],
])('%s with %s workers ends at a signal in any moment of its start', async (program, workers) => {
  const duration = await durationOf(program, workers);
  const moments = Array.from({ length: MOMENTS }, (_, index) => index / MOMENTS);
  const ends = new Map<number, string>();
  const next = async (): Promise<void> => {
    for (let moment = moments.shift(); moment !== undefined; moment = moments.shift()) {
      ends.set(moment, await stopAfter(moment * duration, program, workers));
    }
  };
  await Promise.all([next(), next()]);
  expect([...ends].filter(([, end]) => end !== '0')).toEqual([]);
});
