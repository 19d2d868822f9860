import { existsSync } from 'node:fs';
import { join, posix } from 'node:path';
import { type BuildRun, StepError } from '../../build-run.js';
import { limitMessage } from '../../limit-message.js';
import type { BuildCommand } from '../../../sandbox/sandbox.js';
import { OutputEnd } from '../../output-end.js';
import { gitEnvironment } from './git-remote.js';

const MAX_OUTPUT_BYTES = 1024 * 1024;
/** Largest file that git may write, such as a pack: 4 GiB, in the units of `ulimit -f`. A sandbox may allow less. */
const MAX_FILE_BLOCKS = (4 * 1024 ** 3) / 512;
const DEADLINE_MS = 15 * 60_000;

/** For what git finds out in the working copy, without a server. */
export const LOCAL = { env: gitEnvironment(null), network: 'build', isQuiet: true } as const;

/** How a command of git ended. */
export interface GitResult {
  readonly isOk: boolean;
  /** What it printed, both streams, the last MiB. */
  readonly output: string;
}

/** How git runs. */
export interface GitOptions extends Pick<BuildCommand, 'env' | 'network' | 'opens'> {
  /** The log does not show what it prints. */
  readonly isQuiet?: boolean;
  /** Relative to the working copy; default: its root. */
  readonly cwd?: string;
}

/** Runs git in the sandbox, in the working copy. All commands together have 15 minutes. */
export class Git {
  private readonly deadline = AbortSignal.timeout(DEADLINE_MS);

  constructor(private readonly run: BuildRun) {}

  /**
   * @param args the arguments of git
   * @throws StepError when a limit is reached, or the timeout expires
   */
  async try(args: readonly string[], options: GitOptions): Promise<GitResult> {
    const { sandbox, log, signal } = this.run;
    const output = new OutputEnd(MAX_OUTPUT_BYTES);
    try {
      const { exitCode, limit } = await sandbox.run({
        command: ['sh', '-c', `ulimit -f ${MAX_FILE_BLOCKS} 2>/dev/null; exec git "$@"`, 'git', ...args],
        cwd: options.cwd ?? '',
        env: options.env,
        network: options.network,
        ...(options.opens && { opens: options.opens }),
        signal: AbortSignal.any([signal, this.deadline]),
        onOutput: (chunk) => {
          if (options.isQuiet !== true) log.write(chunk);
          output.add(chunk);
        },
      });
      if (limit !== null) throw new StepError('source', limitMessage(limit));
      return { isOk: exitCode === 0, output: output.bytes().toString() };
    } catch (error) {
      if (this.deadline.aborted && !signal.aborted) {
        throw new StepError('source', 'The repository could not be fetched within 15 minutes.');
      }
      throw error;
    }
  }

  /** @throws StepError also when git fails: `task` and what git says */
  async do(task: string, ...parameters: Parameters<Git['try']>): Promise<string> {
    const { isOk, output } = await this.try(...parameters);
    if (!isOk) throw new StepError('source', `${task} failed: ${reasonIn(output)}.`);
    return output;
  }

  /**
   * Reads a file of the project in the format of git's configuration.
   *
   * @param folder relative to the working copy
   * @param pattern of the keys
   * @returns the keys with their values; none: there is no such file, or no such key
   * @throws StepError when it cannot be read: nothing of it must be left out without a word
   */
  async config(folder: string, file: string, pattern: string): Promise<[key: string, value: string][]> {
    // Most projects have none, and a sandbox takes longer than a look.
    if (!existsSync(join(this.run.folders.repo, folder, file))) return [];
    const args = ['config', '--file', file, '--null', '--get-regexp', pattern];
    const { isOk, output } = await this.try(args, { ...LOCAL, cwd: folder });
    if (!isOk && output !== '') {
      throw new StepError('source', `${posix.join(folder, file)} cannot be read: ${reasonIn(output)}.`);
    }
    return parseConfig(output);
  }
}

/** Reads what `git config --null` prints: keys with their values. */
export function parseConfig(output: string): [key: string, value: string][] {
  return output
    .split('\0')
    .filter((item) => item !== '')
    .map((item) => item.split('\n'))
    .map(([key = '', ...value]) => [key, value.join('\n')]);
}

/** What git says last, in one line without a full stop. */
export function reasonIn(output: string): string {
  const lines = output
    .split('\n')
    .map((line) => line.replaceAll(/\p{C}/gu, '').trim())
    .filter((line) => line !== '');
  const line =
    lines.findLast((text) => /^(fatal|error):/.test(text)) ?? lines.at(-1) ?? 'git prints no reason';
  return line
    .replace(/^(fatal|error): /, '')
    .slice(0, 300)
    .replace(/\.+$/, '');
}
