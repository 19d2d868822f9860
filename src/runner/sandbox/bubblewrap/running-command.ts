import { setTimeout as sleep } from 'node:timers/promises';
import { ProcessHandle } from '../limits/process-handle.js';
import type { Started } from './start.js';

/** How long bubblewrap may take to make the first process, in milliseconds, before it is killed itself. */
const PATIENCE = 10_000;

/** A command, and how it is ended. */
export class RunningCommand {
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
