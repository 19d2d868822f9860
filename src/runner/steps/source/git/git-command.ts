import { type BuildRun, StepError } from '../../build-run.js';
import { limitMessage } from '../../limit-message.js';
import type { BuildCommand } from '../../../sandbox/sandbox.js';

const MAX_OUTPUT_BYTES = 1024 * 1024;
/** Largest file that git may write, such as a pack: 4 GiB, in the units of `ulimit -f`. A sandbox may allow less. */
const MAX_FILE_BLOCKS = (4 * 1024 ** 3) / 512;
const DEADLINE_MS = 15 * 60_000;

/** How a command of git ended. */
export interface GitResult {
  readonly isOk: boolean;
  /** What it printed, both streams, the last MiB. */
  readonly output: string;
}

/** Runs git in the sandbox, in the working copy. All commands together have 15 minutes. */
export class Git {
  private readonly deadline = AbortSignal.timeout(DEADLINE_MS);

  constructor(private readonly run: BuildRun) {}

  /**
   * @param args the arguments of git
   * @param options `isQuiet`: the log does not show what it prints
   * @throws StepError when a limit is reached, or the timeout expires
   */
  async try(
    args: readonly string[],
    options: Pick<BuildCommand, 'env' | 'network'> & { readonly isQuiet?: boolean; readonly cwd?: string },
  ): Promise<GitResult> {
    const { sandbox, log, signal } = this.run;
    const chunks: Buffer[] = [];
    let size = 0;
    try {
      const { exitCode, limit } = await sandbox.run({
        command: ['sh', '-c', `ulimit -f ${MAX_FILE_BLOCKS} 2>/dev/null; exec git "$@"`, 'git', ...args],
        cwd: options.cwd ?? '',
        env: options.env,
        network: options.network,
        signal: AbortSignal.any([signal, this.deadline]),
        onOutput: (chunk) => {
          if (options.isQuiet !== true) log.write(chunk);
          chunks.push(chunk);
          size += chunk.length;
          while (size > MAX_OUTPUT_BYTES && chunks.length > 1) size -= chunks.shift()!.length;
        },
      });
      if (limit !== null) throw new StepError('source', limitMessage(limit));
      return { isOk: exitCode === 0, output: Buffer.concat(chunks).toString() };
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
