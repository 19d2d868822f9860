import { execFile } from 'node:child_process';
import { statfs } from 'node:fs/promises';
import type { JobFolders } from '../../folders/job-folders.js';
import { SYSTEM_ENVIRONMENT } from '../system-programs.js';

/** Builds end before the file system has less space than this, in bytes. */
const RESERVE = 1024 ** 3;
/** … or less than this part of it, if it is small. */
const RESERVE_PART = 0.1;
const INODE_RESERVE = 10_000;
const INODE_RESERVE_PART = 0.01;
/** The least time between two measurements, in milliseconds, and how many times longer than a measurement it is. */
const PAUSE = 2000;
const PAUSE_FACTOR = 5;

/** Watches how much disk space the folders of a job use. Measuring takes time, so it looks at the free space first. */
export class DiskUsage {
  private readonly folders: JobFolders;
  private readonly limit: number;
  private readonly deletedFiles: () => Promise<number>;
  private used = 0;
  private freeThen: number | null = null;
  private nextAt = 0;
  private measuring: Promise<void> | null = null;
  private readonly stopped = new AbortController();

  /**
   * @param limit in bytes
   * @param deletedFiles measures the deleted files that are open, in bytes
   */
  constructor(folders: JobFolders, limit: number, deletedFiles: () => Promise<number>) {
    this.folders = folders;
    this.limit = limit;
    this.deletedFiles = deletedFiles;
  }

  /** Whether the job uses too much, or the file system is nearly full. */
  async isExceeded(): Promise<boolean> {
    const { blocks, bavail, bsize, files, ffree } = await statfs(this.folders.root);
    const free = bavail * bsize;
    if (free < Math.min(RESERVE, blocks * bsize * RESERVE_PART)) return true;
    if (files > 0 && ffree < Math.min(INODE_RESERVE, files * INODE_RESERVE_PART)) return true;
    const written = (this.freeThen ??= free) - free;
    if (this.measuring === null && (this.used + written > this.limit || Date.now() >= this.nextAt)) {
      this.freeThen = free;
      this.measuring = this.measure().finally(() => (this.measuring = null));
    }
    return this.used > this.limit;
  }

  /** Ends a measurement that runs. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.measuring;
  }

  private async measure(): Promise<void> {
    const { repo, home, cache } = this.folders;
    const startedAt = Date.now();
    // First, so that a file that is deleted during the measurement does not count twice.
    const deleted = await this.deletedFiles();
    // As root of a user namespace it also reads folders that the build has closed for itself.
    const privileged = process.getuid?.() === 0 ? [] : ['unshare', '--user', '--map-root-user'];
    const command = ['-n', '10', 'setpriv', '--pdeathsig', 'KILL', ...privileged];
    const du = [
      'du',
      '--summarize',
      '--total',
      '--one-file-system',
      '--block-size=1',
      '--',
      repo,
      home,
      cache,
    ];
    const output = await new Promise<string>((resolve) => {
      const options = {
        env: SYSTEM_ENVIRONMENT,
        signal: this.stopped.signal,
        killSignal: 'SIGKILL',
      } as const;
      // Files that vanish while it runs make it fail, but it prints the sum.
      execFile('nice', [...command, ...du], options, (_error, stdout) => resolve(stdout));
    });
    const named = /^(\d+)\ttotal$/m.exec(output)?.[1];
    if (named !== undefined) this.used = deleted + Number(named);
    this.nextAt = Date.now() + Math.max(PAUSE, PAUSE_FACTOR * (Date.now() - startedAt));
  }
}
