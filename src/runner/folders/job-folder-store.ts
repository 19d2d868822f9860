import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile, readlink } from 'node:fs/promises';
import { join, basename } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { JobFolders } from './job-folders.js';
import { isAlive, ownIdentity, parseIdentity } from './process-identity.js';
import { removeFolder } from './remove-folder.js';

/** Names the process that a folder belongs to. Its time shows that the process is alive. */
const OWNER = 'owner.json';
/** How often a process shows that it is alive, in milliseconds. */
export const TOUCH_EVERY = 30_000;
/** How long a job waits for the removal of its folders, in milliseconds, which may have millions of files. */
const REMOVE_WITHIN = 10_000;
/** After so long without a sign of life, a process in another container counts as dead, in milliseconds. */
const DEAD_AFTER = 4 * TOUCH_EVERY;

/** The folders of jobs in `RUNNER_DIR`, which several processes may share. */
export class JobFolderStore {
  private readonly own = new Set<string>();

  /**
   * @param dir `RUNNER_DIR/jobs`
   * @param removeAll removes a folder
   * @param removeWithin how long a job waits for that, in milliseconds
   */
  constructor(
    private readonly dir: string,
    private readonly warn: (message: string) => void,
    private readonly removeAll = removeFolder,
    private readonly removeWithin = REMOVE_WITHIN,
  ) {}

  /** Makes the folders of a job, which only the user of the runner can open. */
  async make(jobId: string, attempt: number): Promise<JobFolders> {
    const root = join(this.dir, `${jobId}-${attempt}`);
    const folders = {
      root,
      repo: join(root, 'repo'),
      home: join(root, 'home'),
      cache: join(root, 'cache'),
      artifacts: join(root, 'artifacts'),
    };
    await mkdir(this.dir, { recursive: true, mode: 0o700 });
    // Complete before it has its name: no other process finds a folder without an owner.
    const temporary = join(this.dir, `.new-${randomUUID()}`);
    await mkdir(temporary, { mode: 0o700 });
    this.own.add(temporary);
    await writeFile(join(temporary, OWNER), JSON.stringify(ownIdentity()));
    await this.discard(root);
    await rename(temporary, root);
    this.own.delete(temporary);
    this.own.add(root);
    const { repo, home, cache, artifacts } = folders;
    for (const folder of [repo, home, cache, artifacts]) await mkdir(folder, { mode: 0o700 });
    return folders;
  }

  /**
   * Removes the folders of a job, and what still runs there. What takes longer continues without the job, and what cannot be
   * removed is tried again by `sweep`.
   */
  async remove({ root }: JobFolders): Promise<void> {
    await killProcessesOf(root);
    await this.discard(root);
    this.own.delete(root);
  }

  /** Removes the folders of processes that are dead. */
  async sweep(): Promise<void> {
    for (const name of await readdir(this.dir).catch(() => [])) {
      const root = join(this.dir, name);
      if (this.own.has(root) || !(await isAbandoned(root))) continue;
      await killProcessesOf(root);
      await this.removeSoon(root);
    }
  }

  /** Shows that this process is alive. */
  async touch(): Promise<void> {
    const now = new Date();
    for (const root of this.own) await utimes(join(root, OWNER), now, now).catch(() => undefined);
  }

  /** Moves a folder aside, if it is there, and removes it. */
  private async discard(root: string): Promise<void> {
    const aside = join(this.dir, `.old-${randomUUID()}`);
    this.own.add(aside);
    const isMoved = await rename(root, aside).then(
      () => true,
      () => false,
    );
    if (!isMoved) {
      this.own.delete(aside);
      return;
    }
    await killProcessesOf(aside);
    // Without an owner, `sweep` finds what is left.
    await rm(join(aside, OWNER), { force: true }).catch(() => undefined);
    await this.removeSoon(aside);
  }

  /** Removes a folder. After a while, it continues without the caller. */
  private async removeSoon(path: string): Promise<void> {
    this.own.add(path);
    const removal = this.removeAll(path)
      .catch((error: Error) => this.warn(error.message))
      .finally(() => this.own.delete(path));
    await Promise.race([removal, sleep(this.removeWithin, undefined, { ref: false })]);
  }
}

async function isAbandoned(root: string): Promise<boolean> {
  const path = join(root, OWNER);
  const owner = parseIdentity(await readFile(path, 'utf8').catch(() => ''));
  const alive = owner === null ? null : isAlive(owner);
  if (alive !== null) return !alive;
  // Without an owner it was being made, or was being removed.
  const { mtimeMs } = await stat(owner === null ? root : path).catch(() => ({ mtimeMs: Date.now() }));
  return Date.now() - mtimeMs > DEAD_AFTER;
}

/**
 * Kills what a build has left: processes whose `HOME` is in the folder of the job (without a sandbox), and those that have
 * a folder of the job mounted or its files open (a sandbox whose runner was killed in the moment in which it began). Only on
 * Linux; elsewhere it does nothing.
 *
 * @param root folder of a job, which has a name that no other folder has
 */
export async function killProcessesOf(root: string): Promise<void> {
  const variable = Buffer.from(`\0HOME=${root}/`);
  // The path begins at the root of its file system.
  const mounted = `/${basename(root)}/`;
  const names = await readdir('/proc').catch(() => []);
  for (const name of names) {
    const pid = Number(name);
    if (!(pid > 1) || pid === process.pid) continue;
    // Processes of others cannot be read, and they may end at any moment.
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0));
    const isOfJob =
      Buffer.concat([Buffer.from('\0'), environment]).includes(variable) ||
      (await readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '')).includes(mounted) ||
      (await hasOpen(pid, root));
    if (!isOfJob) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

async function hasOpen(pid: number, root: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const descriptors = await readdir(folder).catch(() => []);
  const paths = descriptors.map((name) => readlink(join(folder, name)).catch(() => ''));
  return (await Promise.all(paths)).some((path) => path.startsWith(`${root}/`));
}
