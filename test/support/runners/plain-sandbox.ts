import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { JobFolders } from '../../../src/runner/folders/job-folders.js';
import type { BuildCommand, CommandEnd, JobSandbox } from '../../../src/runner/sandbox/sandbox.js';

/** Runs commands without any isolation, and remembers them. For tests of what runs in sandboxes. */
export class PlainSandbox implements JobSandbox {
  readonly notes = [];
  npmRegistry: string | null = null;
  /** What `findClosed` returns. */
  closed: readonly string[] = [];
  readonly commands: BuildCommand[] = [];

  constructor(readonly inner: JobFolders) {}

  /** The hosts that it was asked for. */
  asked: readonly string[] = [];

  findClosed(hosts: readonly string[]): Promise<readonly string[]> {
    this.asked = hosts;
    return Promise.resolve(this.closed);
  }

  async run(command: BuildCommand): Promise<CommandEnd> {
    this.commands.push(command);
    const { signal, onOutput } = command;
    signal.throwIfAborted();
    const [program, ...args] = command.command;
    const env = { PATH: '/usr/bin:/bin', HOME: this.inner.home, ...command.env };
    const child = spawn(program, args, {
      cwd: join(this.inner.repo, command.cwd),
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    const kill = (): void => {
      try {
        process.kill(-child.pid!, 'SIGKILL');
      } catch {
        // All processes have ended.
      }
    };
    signal.addEventListener('abort', kill);
    child.stdout.on('data', onOutput);
    child.stderr.on('data', onOutput);
    child.once('exit', kill);
    try {
      const exitCode = await new Promise<number>((resolve, reject) => {
        child.once('error', reject);
        child.once('close', (code) => resolve(code ?? 137));
      });
      signal.throwIfAborted();
      return { exitCode, limit: null };
    } finally {
      signal.removeEventListener('abort', kill);
    }
  }
}
