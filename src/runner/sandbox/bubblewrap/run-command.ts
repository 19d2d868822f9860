import { posix } from 'node:path';
import { constants } from 'node:os';
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchLimits, type Limits } from '../limits/limit-watcher.js';
import { routeCommands, ownAddresses } from '../network/routes.js';
import { connectNetwork } from '../network/slirp.js';
import { openOutputPipe } from '../output-pipe.js';
import type { BuildCommand, CommandEnd, JobFolders, SandboxLimit } from '../sandbox.js';
import { DEFAULT_PATH } from '../system-programs.js';
import { INNER_FOLDERS, type InnerFiles } from './inner-files.js';
import { start, type Started } from './start.js';

/** The sandbox of a job, for each of its commands. */
export interface CommandFrame {
  readonly folders: JobFolders;
  /** Options of bubblewrap for what commands see. */
  readonly view: readonly string[];
  readonly files: InnerFiles;
  /** IPv4 networks that are open although they are private. */
  readonly allowed: readonly string[];
  readonly limits: Limits;
  /** Options of prlimit: limits that the kernel keeps between two looks. */
  readonly kernelLimits: readonly string[];
}

/** A program that cannot be a first process, such as npm, is the child of one. Both streams are one pipe. */
const FIRST_PROCESS = ['/bin/sh', '-c', 'exec 2>&1; "$@"; exit $?', 'sh'];
/** A program that writes more into one file than the limit of the disk ends with this. */
const FILE_TOO_LARGE = 128 + constants.signals.SIGXFSZ;
/** How long the kernel may take to end all processes, in milliseconds. */
const GRACE = 10_000;

/**
 * Runs a command in a sandbox of its own.
 *
 * @throws the reason of the signal, after everything is dead; an error if the sandbox cannot be made
 */
export async function runInSandbox(frame: CommandFrame, command: BuildCommand): Promise<CommandEnd> {
  command.signal.throwIfAborted();
  const workFolder = innerPath(command.cwd);
  const output = await openOutputPipe(frame.folders.root, command.onOutput);
  const started = await start({
    network: command.network,
    options: [
      ...frame.view,
      ...frame.files.resolvers[command.network],
      '--remount-ro',
      '/',
      ...environmentOptions(command.env),
      '--chdir',
      workFolder,
    ],
    command: ['/usr/bin/prlimit', ...frame.kernelLimits, '--', ...FIRST_PROCESS, ...command.command],
    seccomp: frame.files.seccomp,
    outputFd: output.fd,
  });
  await output.release();

  let init: number | null = null;
  let hasEnded = false;
  // The end of the first process ends all others before bubblewrap learns of it.
  const kill = () => {
    if (hasEnded) return;
    if (init === null) started.child.kill('SIGKILL');
    else killProcess(init);
    setTimeout(() => !hasEnded && started.child.kill('SIGKILL'), GRACE).unref();
  };
  command.signal.addEventListener('abort', kill, { once: true });
  let limit: SandboxLimit | null = null;
  let connection;
  try {
    connection = command.network === 'build' ? await connect(started, frame.allowed) : null;
    init = await started.init;
    if (command.signal.aborted) kill();
    const watch = init === null ? null : watchLimits(init, frame.folders, frame.limits, kill);
    await started.end;
    hasEnded = true;
    limit = (await watch?.stop()) ?? null;
  } finally {
    kill();
    await started.end;
    hasEnded = true;
    command.signal.removeEventListener('abort', kill);
    await connection?.close();
    if (init !== null) await processIsGone(init);
    await output.ended;
  }
  command.signal.throwIfAborted();
  return endOf(started, init, limit);
}

async function connect(started: Started, allowed: readonly string[]) {
  if (!(await started.namespaces)) return null;
  const connection = await connectNetwork(started.child.pid ?? 0);
  started.enter(routeCommands(allowed, ownAddresses()));
  return connection;
}

async function endOf(started: Started, init: number | null, limit: SandboxLimit | null): Promise<CommandEnd> {
  const { exitCode, messages } = await started.end;
  if (exitCode === FILE_TOO_LARGE) return { exitCode, limit: limit ?? 'disk' };
  if (exitCode !== null) return { exitCode, limit };
  // Killed from outside, such as by the kernel when the machine has no memory left.
  if (init !== null && messages === '') return { exitCode: 128 + constants.signals.SIGKILL, limit };
  throw new Error(`The sandbox could not start the command: ${messages}`);
}

/** @throws RangeError if the folder is not in the working copy */
function innerPath(cwd: string): string {
  const path = posix.join(INNER_FOLDERS.repo, cwd);
  if ((path !== INNER_FOLDERS.repo && !path.startsWith(`${INNER_FOLDERS.repo}/`)) || cwd.includes('\0')) {
    throw new RangeError('The folder of a command is not in the working copy.');
  }
  return path;
}

function environmentOptions(env: Readonly<Record<string, string>>): string[] {
  const defaults = {
    PATH: DEFAULT_PATH,
    HOME: INNER_FOLDERS.home,
    TMPDIR: '/tmp',
    USER: 'build',
    LANG: 'C.UTF-8',
  };
  const all = Object.entries({ ...defaults, ...env });
  const bad = all.find(([name, value]) => name === '' || /[=\0]/.test(name) || value.includes('\0'));
  if (bad !== undefined)
    throw new RangeError(
      `The variable ${bad[0]} cannot be set: it has a character that no variable can have.`,
    );
  return ['--clearenv', ...all.flatMap(([name, value]) => ['--setenv', name, value])];
}

function killProcess(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Waits until a process is dead. bubblewrap waits for it, unless it was killed itself. */
async function processIsGone(pid: number): Promise<void> {
  const until = Date.now() + GRACE;
  while (isAlive(pid)) {
    if (Date.now() > until) throw new Error('Processes of the build are still running.');
    await sleep(20);
  }
}

function isAlive(pid: number): boolean {
  if (!existsSync(`/proc/${pid}`)) return false;
  try {
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}
