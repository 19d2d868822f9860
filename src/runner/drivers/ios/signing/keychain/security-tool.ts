import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { StepError } from '../../../../steps/build-run.js';
import type { BuildOptions } from '../../../../steps/build-options.js';
import { findTool, toolPath } from '../../../../steps/tools/find-tool.js';

/** Where the programs are that sign. */
export type SigningTools = Pick<BuildOptions, 'toolsDir'>;

/** How long one call may take, in milliseconds: one that opens a window would wait for ever. */
const DEADLINE = 30_000;
const MAX_OUTPUT = 256 * 1024;

/** How a call ended. */
export interface SecurityEnd {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** The program `security` of macOS, with the keychains of the user of the runner. What it is called with is never logged. */
export class SecurityTool {
  /** @param deadline of one call, in milliseconds */
  constructor(
    private readonly tools: SigningTools,
    private readonly deadline = DEADLINE,
  ) {}

  /** Whether this machine has it. */
  async isThere(): Promise<boolean> {
    return (await findTool('security', this.tools.toolsDir)) !== null;
  }

  /**
   * Calls it, and waits until it has ended.
   *
   * @throws StepError when it is missing or takes too long
   * @throws the reason of the signal
   */
  async run(args: readonly [string, ...string[]], signal: AbortSignal): Promise<SecurityEnd> {
    signal.throwIfAborted();
    const path = await findTool('security', this.tools.toolsDir);
    if (path === null) {
      throw new StepError('sign', 'This machine has no program security: iOS apps are signed on a Mac.');
    }
    const child = spawn(path, args, {
      env: {
        PATH: [...toolPath(this.tools.toolsDir), dirname(process.execPath)].join(':'),
        HOME: homedir(),
        LANG: 'en_US.UTF-8',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let isLate = false;
    const kill = (): void => {
      child.kill('SIGKILL');
      // A program that it started may hold them open.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const timer = setTimeout(() => {
      isLate = true;
      kill();
    }, this.deadline);
    signal.addEventListener('abort', kill, { once: true });
    if (signal.aborted) kill();
    const [stdout, stderr] = [textOf(child.stdout), textOf(child.stderr)];
    try {
      const [code] = (await once(child, 'close')) as [number | null];
      signal.throwIfAborted();
      if (isLate) {
        throw new StepError(
          'sign',
          `The command security ${args[0]} of this Mac did not end within ${Math.ceil(this.deadline / 1000)} seconds: it may wait for a person at the screen.`,
        );
      }
      return { exitCode: code ?? 1, stdout: stdout(), stderr: stderr() };
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', kill);
    }
  }
}

/** Collects what a stream brings, up to a limit. */
function textOf(stream: NodeJS.ReadableStream): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  stream.on('data', (chunk: Buffer) => {
    if (length >= MAX_OUTPUT) return;
    chunks.push(chunk);
    length += chunk.length;
  });
  return () => Buffer.concat(chunks).toString('utf8').slice(0, MAX_OUTPUT);
}
