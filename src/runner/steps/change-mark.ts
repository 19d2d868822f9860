import { randomUUID } from 'node:crypto';
import { lstat, opendir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** The clock of file systems lags by one tick of the kernel: 10 ms at most. In milliseconds. */
const TICK = 20;

/** Smaller differences between clocks are adjustments that go on all the time. In milliseconds. */
const STEP = 1000;

/**
 * A moment as a file system sees it: files that change later have a later ctime, which no program can choose, as it can
 * choose other times.
 */
export class ChangeMark {
  private constructor(
    private readonly folder: string,
    /** A ctime in milliseconds. */
    private readonly time: number,
    private readonly clock: number,
  ) {}

  /** @param folder on the file system in question, where no build writes */
  static async now(folder: string): Promise<ChangeMark> {
    await sleep(TICK);
    const path = join(folder, `.mark-${randomUUID()}`);
    await writeFile(path, '', { flag: 'wx' });
    try {
      return new ChangeMark(folder, (await stat(path)).ctimeMs, performance.now());
    } finally {
      await rm(path);
    }
  }

  isBefore({ ctimeMs }: { readonly ctimeMs: number }): boolean {
    return ctimeMs >= this.time;
  }

  /** Whether the clock of the machine was set back: then files that changed later can look older. */
  async isUnreliable(): Promise<boolean> {
    const { time, clock } = await ChangeMark.now(this.folder);
    return time - this.time < clock - this.clock - STEP;
  }

  /**
   * Whether a file or link in a folder was written later, or the folder was put there, by a link or by moving it.
   *
   * @param path follows a link in its last part only
   */
  async isBeforeContentOf(path: string): Promise<boolean> {
    const own = await lstat(path);
    // Moving a folder changes its ctime, and not its mtime, as new entries do.
    const isMoved = this.isBefore(own) && !this.isBefore({ ctimeMs: own.mtimeMs });
    if (isMoved || (own.isSymbolicLink() && this.isBefore(own))) return true;
    const pending = [path];
    for (let index = 0; index < pending.length; index++) {
      const next = pending[index] ?? '';
      for await (const entry of await opendir(next)) {
        const inner = join(next, entry.name);
        if (entry.isDirectory()) pending.push(inner);
        else if (this.isBefore(await lstat(inner))) return true;
      }
    }
    return false;
  }
}
