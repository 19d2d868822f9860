import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import { exitCodes } from '../../runner/agent/runner-end.js';

/** Shortest and longest pause before the runner starts again, in milliseconds. Doubles from one end to the next. */
const PAUSE = { shortest: 1000, longest: 300_000 };
/** A runner that has run this long, in milliseconds, starts again after the shortest pause. */
const STEADY = 60_000;
/** How long a build may take to finish when the server stops, in milliseconds. */
const DRAIN = 30_000;
/** How long the runner may take to kill its builds and to remove their files after that, in milliseconds. */
const KILL = 25_000;
/** Its lines begin with the time, as those of the log do. */
const TIME = /^\d\d:\d\d:\d\d /;
/** Another start would end in the same way. */
const LASTING: Readonly<Record<number, string>> = {
  [exitCodes.settings]: 'a setting is wrong',
  [exitCodes.token]: 'it was deleted, or has another token; the next start of Slipway registers another one',
  [exitCodes.noSandbox]: 'there is no sandbox',
  [exitCodes.version]: 'it is of another version',
};

/** The program and its environment. */
export interface RunnerProgram {
  /** Arguments of Node.js. */
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

/** A runner in a separate process, which starts again when it ends. */
export class RunnerProcess {
  private readonly stopping = new AbortController();
  private child: ChildProcess | null = null;
  private readonly ended: Promise<void>;

  constructor(
    private readonly program: RunnerProgram,
    private readonly logger: Logger,
  ) {
    this.ended = this.keepRunning();
  }

  /** Lets it finish its builds for half a minute, then ends it: those builds start once more with the next runner. */
  async stop(): Promise<void> {
    this.stopping.abort();
    this.child?.kill('SIGTERM');
    const timers = [
      // The second signal kills the builds.
      setTimeout(() => this.child?.kill('SIGTERM'), DRAIN),
      setTimeout(() => this.child?.kill('SIGKILL'), DRAIN + KILL),
    ];
    await this.ended;
    for (const timer of timers) clearTimeout(timer);
  }

  private async keepRunning(): Promise<void> {
    const { signal } = this.stopping;
    let pause = PAUSE.shortest;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const how = await this.run();
      if (signal.aborted) return;
      const reason = LASTING[Number(how)];
      if (reason !== undefined) return this.logger.error(`The built-in runner has ended: ${reason}`);
      if (performance.now() - startedAt > STEADY) pause = PAUSE.shortest;
      this.logger.error(
        `The built-in runner has ended with ${how} and starts again in ${pause / 1000} seconds`,
      );
      await sleep(pause, undefined, { signal }).catch(() => undefined);
      pause = Math.min(2 * pause, PAUSE.longest);
    }
  }

  /** @returns its exit code, the signal or the error that ended it */
  private async run(): Promise<string> {
    const child = spawn(process.execPath, this.program.args, {
      env: this.program.env,
      // A signal of the terminal must reach the server alone, which then lets the runner finish.
      detached: true,
      // The runner ends with the channel: see `stopWithParent`.
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    this.child = child;
    this.logger.info({ pid: child.pid }, 'The built-in runner has started');
    for (const stream of [child.stdout, child.stderr]) {
      if (stream === null) continue;
      createInterface(stream).on('line', (line) =>
        this.logger.info({ context: 'Runner' }, `Runner: ${line.replace(TIME, '')}`),
      );
    }
    try {
      const [code, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null];
      return signal ?? String(code);
    } catch (error) {
      return (error as Error).message;
    } finally {
      this.child = null;
    }
  }
}
