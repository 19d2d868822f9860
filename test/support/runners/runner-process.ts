import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { NODE_COMPILE_CACHE } from '../../setup/node-options.js';
import { eventually } from '../eventually.js';

const MAIN = join(import.meta.dirname, '../../../dist/slipway.js');

/** How a runner is started. */
export interface RunnerStart {
  /** Of the API. */
  readonly origin: string;
  readonly token: string;
  /** `RUNNER_DIR`. */
  readonly dir: string;
  readonly env?: Readonly<Record<string, string>>;
  /** By default `--trust-repositories`, which needs no sandbox. */
  readonly args?: readonly string[];
  /** The name of the command, if not `runner`. */
  readonly name?: string;
  /** Another program in its place, which gets the arguments only. */
  readonly main?: string;
}

/** `slipway runner` in a process of its own. */
export class RunnerProcess {
  /** What it has printed. */
  output = '';
  private readonly exited: Promise<[number | null, NodeJS.Signals | null]>;

  private constructor(readonly process: ChildProcess) {
    this.exited = once(process, 'exit') as Promise<[number | null, NodeJS.Signals | null]>;
    for (const stream of [process.stdout, process.stderr]) {
      stream?.on('data', (chunk: Buffer) => (this.output += stripVTControlCharacters(chunk.toString())));
    }
  }

  static start({ origin, token, dir, env = {}, args, name = 'runner', main }: RunnerStart): RunnerProcess {
    const program = main === undefined ? [MAIN, ...name.split(' ')] : [main];
    const child = spawn(process.execPath, [...program, ...(args ?? ['--trust-repositories'])], {
      env: {
        PATH: process.env['PATH'],
        HOME: process.env['HOME'],
        NODE_COMPILE_CACHE,
        SLIPWAY_URL: origin,
        RUNNER_TOKEN: token,
        RUNNER_DIR: dir,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    return new RunnerProcess(child);
  }

  /** Waits until it has printed something. */
  async waitFor(pattern: RegExp | string, patience?: number): Promise<void> {
    await eventually(() => {
      const { exitCode, signalCode } = this.process;
      if (!this.output.match(pattern) && (exitCode ?? signalCode) !== null) {
        throw new Error(`The runner ended with ${exitCode ?? signalCode}:\n${this.output}`);
      }
      expect(this.output).toMatch(pattern);
    }, patience);
  }

  /** @returns the exit code, after everything was printed; `null`: a signal ended it */
  async exit(): Promise<number | null> {
    const [code] = await this.exited;
    return code;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    this.process.kill(signal);
    return this.exit();
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }
}
