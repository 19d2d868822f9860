import { closeSync, constants, openSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * One process of the machine. Its number can belong to another process soon after its end, when builds start many; an
 * open folder of `/proc` cannot.
 */
export class ProcessHandle {
  readonly pid: number;
  private readonly fd: number;
  private isClosed = false;

  private constructor(pid: number, fd: number) {
    this.pid = pid;
    this.fd = fd;
  }

  /** @returns `null` if the process has ended */
  static open(pid: number): ProcessHandle | null {
    try {
      return new ProcessHandle(pid, openSync(`/proc/${pid}`, constants.O_RDONLY | constants.O_DIRECTORY));
    } catch {
      return null;
    }
  }

  /** The folder of the process in `/proc`; empty when it has ended. */
  get folder(): string {
    return `/proc/self/fd/${this.fd}`;
  }

  kill(): void {
    if (!this.isAlive()) return;
    try {
      process.kill(this.pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }

  /** Waits until the process, and with the first one of a sandbox all others, is dead. */
  async isGone(): Promise<void> {
    while (this.isAlive()) await sleep(20);
  }

  /** After this, nothing more is killed: the descriptor can belong to another file. */
  close(): void {
    this.isClosed = true;
    closeSync(this.fd);
  }

  private isAlive(): boolean {
    if (this.isClosed) return false;
    try {
      return !/^State:\s+[ZX]/m.test(readFileSync(`${this.folder}/status`, 'utf8'));
    } catch {
      return false;
    }
  }
}
