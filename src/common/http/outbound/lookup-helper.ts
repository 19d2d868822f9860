import { type ChildProcess, fork } from 'node:child_process';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The bundle has it beside this module, too: see `scripts/bundle.ts`. */
const PROGRAM = fileURLToPath(new URL(`./lookup-process${extname(import.meta.url)}`, import.meta.url));

/** What the resolver of the operating system reads. The process gets no other variable of the server. */
const VARIABLES = ['HOSTALIASES', 'LOCALDOMAIN', 'RES_OPTIONS'];

interface LookupResult {
  readonly id: number;
  readonly addresses: string[];
}

/** A process that resolves names. */
export class LookupHelper {
  /** Who waits, by the number of the look-up. */
  private readonly waiting = new Map<number, (addresses: string[] | null) => void>();
  private lastId = 0;
  private isRetired = false;

  /** @param process runs `lookup-process.ts` */
  constructor(private readonly process: ChildProcess) {
    process.on('message', ({ id, addresses }: LookupResult) => this.settle(id, addresses));
    process.on('exit', () => this.endAll());
    process.on('error', () => this.endAll());
    // What waits for an answer has a time limit, which keeps the server running until then.
    process.unref();
    process.channel?.unref();
  }

  /** @param threads names that it resolves at once */
  static start(threads: number): LookupHelper {
    const kept = VARIABLES.flatMap((name) => {
      const value = process.env[name];
      return value === undefined ? [] : [[name, value]];
    });
    return new LookupHelper(
      fork(PROGRAM, {
        // Node.js gives look-ups half of its threads.
        env: { ...Object.fromEntries(kept), UV_THREADPOOL_SIZE: String(2 * threads) },
        execArgv: ['--max-old-space-size=32', '--max-semi-space-size=1'],
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      }),
    );
  }

  /** Whether it takes names. */
  get isUsable(): boolean {
    return !this.isRetired;
  }

  /** Names that are being resolved. */
  get pending(): number {
    return this.waiting.size;
  }

  /**
   * @param timeoutMs when a look-up takes longer, it fails, the process takes no more names, and ends after the others
   * @returns none: there is no such name, or it took too long; `null`: the process has ended
   */
  lookup(host: string, timeoutMs: number): Promise<string[] | null> {
    const id = ++this.lastId;
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.isRetired = true;
        this.settle(id, []);
      }, timeoutMs);
      this.waiting.set(id, (addresses) => {
        clearTimeout(timer);
        resolve(addresses);
      });
      // A process that has ended emits `exit`.
      this.process.send({ id, host }, () => undefined);
    });
  }

  /** Takes no more names, and ends the process after the last answer. */
  retire(): void {
    this.isRetired = true;
    if (this.waiting.size === 0) this.process.kill('SIGKILL');
  }

  private settle(id: number, addresses: string[] | null): void {
    this.waiting.get(id)?.(addresses);
    this.waiting.delete(id);
    if (this.isRetired) this.retire();
  }

  private endAll(): void {
    this.isRetired = true;
    for (const id of this.waiting.keys()) this.settle(id, null);
  }
}
