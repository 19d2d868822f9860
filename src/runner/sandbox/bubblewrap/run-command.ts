import { posix } from 'node:path';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import type { CommandGroup, ControlGroups } from '../control-groups/control-groups.js';
import { watchLimits, type Limits } from '../limits/limit-watcher.js';
import { type OpenPort, routeCommands, ownAddresses } from '../network/routes.js';
import { connectNetwork } from '../network/slirp.js';
import { openOutputPipe } from '../output-pipe.js';
import type { JobFolders } from '../../folders/job-folders.js';
import type { BuildCommand, CommandEnd, SandboxLimit } from '../sandbox.js';
import { DEFAULT_PATH } from '../system-programs.js';
import { ProcessHandle } from '../limits/process-handle.js';
import { INNER_FOLDERS, type InnerFiles } from './inner-files.js';
import { contains } from './readable-folders.js';
import { FIRST_FILE_FD, type SandboxNetwork, start, type Started } from './start.js';

/** How long bubblewrap may take to make the first process, in milliseconds, before it is killed itself. */
const PATIENCE = 10_000;

/** A command, and how it is ended. */
class RunningCommand {
  /** Whether bubblewrap may have begun. */
  isEntered = false;
  private readonly started: Started;
  private readonly handle: Promise<ProcessHandle | null>;

  constructor(started: Started) {
    this.started = started;
    this.handle = started.init.then((pid) => (pid === null ? null : ProcessHandle.open(pid)));
  }

  /** The first process of the sandbox; `null`: it has ended, or never began. */
  init(): Promise<ProcessHandle | null> {
    return this.handle;
  }

  /**
   * Kills the first process, and with it the kernel kills all others before bubblewrap learns of it. bubblewrap itself is
   * killed only before it has made a process that could outlive it.
   */
  async kill(): Promise<void> {
    if (!this.isEntered) this.started.child.kill('SIGKILL');
    const init = await Promise.race([this.handle, sleep(PATIENCE, undefined, { ref: false })]);
    if (init === undefined) this.started.child.kill('SIGKILL');
    else init?.kill();
  }

  /** Kills it and waits until everything is dead. */
  async stop(): Promise<void> {
    await this.kill();
    await this.started.end;
    const init = await this.handle;
    // bubblewrap has waited for it, unless something else has killed bubblewrap.
    await init?.isGone();
    init?.close();
  }
}

/** The sandbox of a job, for each of its commands. */
export interface CommandFrame {
  readonly folders: JobFolders;
  /** Options of bubblewrap for what commands see. */
  readonly view: readonly string[];
  readonly files: InnerFiles;
  /** IPv4 networks that are open although they are private. */
  readonly allowed: readonly string[];
  /** What else is open. */
  readonly ports: readonly OpenPort[];
  readonly limits: Limits;
  /** For the kernel to keep the limits; `null`: only the runner does. */
  readonly groups: ControlGroups | null;
  /** Options of prlimit: limits that the kernel keeps between two looks. */
  readonly kernelLimits: readonly string[];
}

/** A command, and what only sandboxes of signing have. */
export interface SandboxCommand extends Omit<BuildCommand, 'network'> {
  readonly network: SandboxNetwork;
  /** Files that only this command sees, by their paths. They are in memory, and no other user of the sandbox can read them. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
}

/** Above the limit of processes: a build that stays there is found and ended. */
export const SPARE_PROCESSES = 64;
/** A program that writes more into one file than the limit of the disk ends with this. */
const FILE_TOO_LARGE = 128 + constants.signals.SIGXFSZ;

/**
 * Runs a command in its own sandbox.
 *
 * @throws the reason of the signal, after everything is dead; an error if the sandbox cannot be made
 */
export async function runInSandbox(frame: CommandFrame, command: SandboxCommand): Promise<CommandEnd> {
  command.signal.throwIfAborted();
  const { memory, processes } = frame.limits;
  const group = (await frame.groups?.open({ memory, tasks: processes + SPARE_PROCESSES })) ?? null;
  try {
    return await runInGroup(frame, command, group);
  } finally {
    await group?.remove();
  }
}

async function runInGroup(
  frame: CommandFrame,
  command: SandboxCommand,
  group: CommandGroup | null,
): Promise<CommandEnd> {
  const files = Object.entries(command.files ?? {});
  const options = [
    ...frame.view,
    ...(command.network === 'none' ? [] : frame.files.resolvers[command.network]),
    ...files.flatMap(([path], index) => ['--perms', '0400', '--file', String(FIRST_FILE_FD + index), path]),
    '--remount-ro',
    '/',
    ...environmentOptions(command.env),
    '--chdir',
    innerPath(command.cwd),
  ];
  const output = await openOutputPipe(frame.folders.root, command.onOutput);
  const started = await start({
    network: command.network,
    files: files.map(([, content]) => content),
    options,
    command: command.command,
    kernelLimits: frame.kernelLimits,
    seccomp: frame.files.seccomp,
    group: group?.procs ?? null,
    outputFd: output.fd,
  });
  await output.release();

  const running = new RunningCommand(started);
  const kill = () => void running.kill();
  command.signal.addEventListener('abort', kill, { once: true });
  if (command.signal.aborted) kill();
  let connection = null;
  let limit: SandboxLimit | null = null;
  try {
    if (command.network === 'build') connection = await connect(started, frame);
    running.isEntered = true;
    const init = await running.init();
    const watch = init === null ? null : watchLimits(init, frame.folders, frame.limits, kill);
    await started.end;
    limit = (await watch?.stop()) ?? null;
    if (await group?.wasOutOfMemory()) limit ??= 'memory';
  } catch (error) {
    // What is killed while it starts, fails.
    command.signal.throwIfAborted();
    throw error;
  } finally {
    command.signal.removeEventListener('abort', kill);
    await running.stop();
    await connection?.close();
    await output.ended;
  }
  command.signal.throwIfAborted();
  return endOf(started, limit);
}

async function connect(started: Started, { allowed, ports }: CommandFrame) {
  if (!(await started.namespaces)) return null;
  const connection = await connectNetwork(started.child.pid ?? 0);
  started.enter(routeCommands(allowed, ownAddresses(), ports));
  return connection;
}

async function endOf(started: Started, limit: SandboxLimit | null): Promise<CommandEnd> {
  const { exitCode, messages } = await started.end;
  if (exitCode === FILE_TOO_LARGE) return { exitCode, limit: limit ?? 'disk' };
  if (exitCode !== null) return { exitCode, limit };
  // Killed from outside, such as by the kernel when the machine has no memory left.
  if (limit !== null || ((await started.init) !== null && messages === '')) {
    return { exitCode: 128 + constants.signals.SIGKILL, limit };
  }
  throw new Error(`The sandbox could not start the command: ${messages}`);
}

/** @throws RangeError if the folder is not in the working copy */
function innerPath(cwd: string): string {
  const path = posix.join(INNER_FOLDERS.repo, cwd);
  if (posix.isAbsolute(cwd) || cwd.includes('\0') || !contains(INNER_FOLDERS.repo, path)) {
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
