import { type ChildProcessByStdio, execFileSync, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { BubblewrapSandbox } from '../../../../src/runner/sandbox/bubblewrap/bubblewrap.js';
import type { SandboxOptions } from '../../../../src/runner/sandbox/sandbox-options.js';
import type { OneCommand } from './one-command.js';
import type { JobFolders } from '../../../../src/runner/folders/job-folders.js';
import type { CommandEnd, JobSandbox, Sandbox } from '../../../../src/runner/sandbox/sandbox.js';

/** Whether this machine has the programs of a sandbox. Where it has not, its tests are skipped. */
export const hasSandbox = ['bwrap', 'slirp4netns', 'ip'].every(isInstalled);
if (!hasSandbox) {
  process.stderr.write('Skipped: the sandbox needs apt-get install bubblewrap slirp4netns iproute2.\n');
}
export const describeSandbox = hasSandbox ? describe : describe.skip;

/** Small, so that a test reaches them soon. */
export const options: SandboxOptions = {
  trustRepositories: false,
  allow: [],
  npmRegistry: null,
  memoryMiB: 512,
  processes: 100,
  diskMiB: 64,
  readOnly: [dirname(process.execPath)],
  apiUrl: 'http://127.0.0.1:3000',
};

/** A job in a sandbox, and what its commands printed. */
export interface Job {
  readonly folders: JobFolders;
  readonly sandbox: JobSandbox;
  run(command: readonly [string, ...string[]], settings?: RunSettings): Promise<CommandResult>;
  sh(script: string, settings?: RunSettings): Promise<CommandResult>;
  /** Runs JavaScript; `args` are its `process.argv`, from 1. */
  node(program: string, ...args: string[]): Promise<CommandResult>;
}

export interface RunSettings {
  readonly network?: 'build' | 'fetch';
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface CommandResult extends CommandEnd {
  readonly output: string;
}

/** Makes the folders of a job and opens a sandbox for it. */
export async function openJob(
  settings: Partial<SandboxOptions> = {},
  parent = tmpdir(),
  sandbox: Sandbox = new BubblewrapSandbox({ ...options, ...settings }),
): Promise<Job> {
  const folders = makeFolders(parent);
  const job = await sandbox.open(folders).catch((error: unknown) => {
    rmSync(folders.root, { recursive: true });
    throw error;
  });
  const run: Job['run'] = async (command, { network = 'build', cwd = '', env = {}, signal } = {}) => {
    const output: Buffer[] = [];
    const end = await job.run({
      command,
      cwd,
      env,
      network,
      onOutput: (chunk) => output.push(chunk),
      signal: signal ?? AbortSignal.timeout(100_000),
    });
    return { ...end, output: Buffer.concat(output).toString() };
  };
  return {
    folders,
    sandbox: job,
    run,
    sh: (script, more) => run(['/bin/sh', '-c', script], more),
    node: (program, ...args) => run([process.execPath, '-e', program, ...args]),
  };
}

/** @param owner the user and group that the folders belong to; absent: this one */
export function makeFolders(parent: string, owner?: number): JobFolders {
  const root = mkdtempSync(join(parent, 'job-'));
  const [repo, home, cache, artifacts] = ['repo', 'home', 'cache', 'artifacts'].map((name) =>
    join(root, name),
  );
  const folders = { root, repo: repo!, home: home!, cache: cache!, artifacts: artifacts! };
  for (const path of Object.values(folders)) {
    mkdirSync(path, { recursive: true });
    if (owner !== undefined) chownSync(path, owner, owner);
  }
  return folders;
}

/** Starts a runner of one command as a program of its own. @param prefix a program that starts it, with its arguments */
export function spawnRunner(
  command: OneCommand,
  prefix: readonly string[] = [],
): ChildProcessByStdio<null, Readable, null> {
  const [first, ...rest] = [...prefix, ...programOf('one-command.ts', command)];
  return spawn(first ?? '', rest, { stdio: ['ignore', 'pipe', 'inherit'] });
}

/** The command that runs a program of this folder. */
export function programOf(name: string, argument: unknown): string[] {
  const [sources, program] = ['typescript-sources.mjs', name].map((file) => join(import.meta.dirname, file));
  return [process.execPath, '--import', sources!, program!, JSON.stringify(argument)];
}

/** A text that marks all processes of a test: in a script or in an environment. */
export function newMark(): string {
  return `mark-${randomUUID()}`;
}

/** The processes of the machine that have the mark in their arguments or environment. */
export function markedProcesses(mark: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => ['cmdline', 'environ'].some((file) => readText(`/proc/${pid}/${file}`).includes(mark)))
    .map(Number);
}

/** A process and all that descend from it, as `pid:start time`. */
export function processTree(root: number): string[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((pid) => ({
      pid: Number(pid),
      stat: readText(`/proc/${pid}/stat`)
        .replace(/^.*\) /s, '')
        .split(' '),
    }));
  const found = new Set([root]);
  for (let size = 0; size !== found.size;) {
    size = found.size;
    for (const { pid, stat } of all) if (found.has(Number(stat[1]))) found.add(pid);
  }
  return all.filter(({ pid }) => found.has(pid)).map(({ pid, stat }) => `${pid}:${stat[19]}`);
}

/** Which of the processes still run. */
export function stillRunning(processes: readonly string[]): string[] {
  return processes.filter((process) => {
    const [pid, startedAt] = process.split(':');
    const stat = readText(`/proc/${pid}/stat`)
      .replace(/^.*\) /s, '')
      .split(' ');
    return stat[19] === startedAt && stat[0] !== 'Z';
  });
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

function isInstalled(program: string): boolean {
  try {
    execFileSync('/bin/sh', ['-c', `command -v ${program}`], {
      env: { PATH: `${process.env['PATH']}:/usr/sbin:/sbin` },
    });
    return true;
  } catch {
    return false;
  }
}
