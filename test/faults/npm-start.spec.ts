import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { builtDatabase } from '../setup/built.js';
import { NODE_COMPILE_CACHE } from '../setup/node-options.js';
import { eventually } from '../support/eventually.js';
import { processesOn } from '../support/processes/processes-on.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';

/* `npm start`, as a person or a service manager starts and stops it: all that they know is the process of npm. */

let dataDir: string;
let npm: ChildProcess;
let output: string;
/** Resolves when the last process has ended that writes to the output of npm. */
let ended: Promise<unknown>;

beforeEach(async () => {
  dataDir = await temporaryFolder();
  // PostgreSQL may run as another operating-system user.
  await chmod(dataDir, 0o711);
});
afterEach(async () => {
  // In a process group of its own: all that is left of it.
  if (npm.pid !== undefined) kill(-npm.pid);
  for (const pid of await postmaster()) kill(pid);
  const { removeEmbeddedPostgresData } = await builtDatabase();
  await eventually(() => removeEmbeddedPostgresData(dataDir));
});

/** @param shell that npm runs its scripts with */
function start(shell: string, env: Readonly<Record<string, string>> = {}): void {
  output = '';
  npm = spawn('npm', ['start'], {
    cwd: join(import.meta.dirname, '../..'),
    detached: true,
    env: {
      PATH: process.env['PATH'],
      HOME: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      DATA_DIR: dataDir,
      NODE_COMPILE_CACHE,
      npm_config_script_shell: shell,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  ended = once(npm, 'close');
  for (const stream of [npm.stdout, npm.stderr]) {
    stream?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  }
}

/** The process of PostgreSQL, if it runs. */
async function postmaster(): Promise<number[]> {
  const file = await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8').catch(() => '');
  return file === '' ? [] : [Number.parseInt(file, 10)];
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

async function expectNothingLeft(): Promise<void> {
  await ended;
  expect(output).toContain('"msg":"Stopped"');
  const folder = await realpath(join(dataDir, 'postgres'));
  expect(await processesOn(folder)).toEqual([]);
}

// On Debian, sh is dash, which waits for its command and ends without it. bash becomes its only command.
it.each(['sh', 'bash'])('ends with its database at SIGTERM to npm, with %s as its shell', async (shell) => {
  start(shell);
  await eventually(() => expect(output).toContain('Slipway is running.'));
  expect(await postmaster()).toHaveLength(1);
  npm.kill('SIGTERM');
  await expectNothingLeft();
});

it('takes a second signal, and ends with the exit code of the server', async () => {
  start('bash');
  await eventually(() => expect(output).toContain('Slipway is running.'));
  npm.kill('SIGTERM');
  npm.kill('SIGTERM');
  await expectNothingLeft();
  expect([npm.exitCode, npm.signalCode]).toEqual([0, null]);
  start('sh', { HOST: '999.1.1.1' });
  await ended;
  expect(output).toContain('HOST must be an IP address of this machine');
  expect(npm.exitCode).toBe(1);
});
