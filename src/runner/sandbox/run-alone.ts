import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { constants, setPriority } from 'node:os';
import { isAbsolute, join, normalize } from 'node:path';
import { openOutputPipe } from './output-pipe.js';
import type { JobFolders } from '../folders/job-folders.js';
import type { BuildCommand, CommandEnd } from './sandbox.js';
import { DEFAULT_PATH } from './system-programs.js';

/** Every process of a command has this variable, unless it removes it. */
const MARK = 'SLIPWAY_COMMAND_ID';
/** How long processes are looked for and killed, in milliseconds: some start others, and some do not die. */
const KILL_FOR = 10_000;

/**
 * Runs a command as an ordinary process of the runner's user, with the environment that is given and nothing of the
 * runner's.
 *
 * @param temporary its `TMPDIR`
 * @throws the reason of the signal, after it and its group are dead
 */
export async function runAlone(
  folders: JobFolders,
  temporary: string,
  command: BuildCommand,
): Promise<CommandEnd> {
  command.signal.throwIfAborted();
  const cwd = normalize(command.cwd || '.');
  if (isAbsolute(cwd) || cwd.split('/')[0] === '..') {
    throw new RangeError('The folder of a command is not in the working copy.');
  }
  const id = randomUUID();
  const output = await openOutputPipe(folders.root, command.onOutput);
  const defaults = {
    PATH: DEFAULT_PATH,
    HOME: folders.home,
    TMPDIR: temporary,
    USER: 'build',
    LANG: 'C.UTF-8',
  };
  const child = spawn('/usr/bin/env', command.command, {
    cwd: join(folders.repo, cwd),
    env: { ...defaults, ...command.env, [MARK]: id },
    stdio: ['ignore', output.fd, output.fd],
    detached: true,
  });
  const ended = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
  await output.release();
  // The process leads its own group.
  const kill = () => child.pid !== undefined && tryTo(() => process.kill(-child.pid!, 'SIGKILL'));
  tryTo(() => child.pid !== undefined && setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL));
  command.signal.addEventListener('abort', kill, { once: true });
  try {
    if (command.signal.aborted) kill();
    const [code, signal] = await ended;
    command.signal.throwIfAborted();
    return { exitCode: code ?? 128 + constants.signals[signal ?? 'SIGKILL'], limit: null };
  } finally {
    command.signal.removeEventListener('abort', kill);
    kill();
    await killMarked(`${MARK}=${id}`);
    output.close();
    await output.ended;
  }
}

/** Ends processes that have left the group, on Linux. Those that have cleared their environment are not found. */
async function killMarked(mark: string): Promise<void> {
  const until = Date.now() + KILL_FOR;
  for (let found = 1; found > 0 && Date.now() < until;) {
    const names = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name));
    const hits = await Promise.all(names.map((pid) => isMarked(pid, mark)));
    const pids = names.filter((_pid, index) => hits[index]).map(Number);
    for (const pid of pids) tryTo(() => process.kill(pid, 'SIGKILL'));
    found = pids.length;
  }
}

async function isMarked(pid: string, mark: string): Promise<boolean> {
  const environment = await readFile(`/proc/${pid}/environ`, 'utf8').catch(() => '');
  return environment.split('\0').includes(mark);
}

function tryTo(action: () => unknown): void {
  try {
    action();
  } catch {
    // The process has ended.
  }
}
