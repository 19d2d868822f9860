import { stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobFolders } from '../../folders/job-folders.js';
import { type DeletedFile, readOpenFiles } from './open-files.js';
import { procOf } from './process-usage.js';

/** Folders of a sandbox that lie in memory. Their file systems say how much, with the deleted files. */
export const MEMORY_FOLDERS = ['tmp', 'dev/shm'];
/** File systems that lie in memory, as `statfs` names them: tmpfs, ramfs, hugetlbfs. */
const MEMORY_TYPES = [0x01021994, 0x858458f6, 0x958458f6];
/** The least time between two looks, in milliseconds, and how many times longer than a look it is. */
const PAUSE = 400;
const PAUSE_FACTOR = 3;
/** How long a process may hide its files, in milliseconds: bubblewrap does for a moment, before it starts the command. */
const HIDDEN_FOR = 2000;

/** What deleted files take that processes of a sandbox have open. */
export interface DeletedSpace {
  /** Of the disk of the machine, in bytes. */
  readonly disk: number;
  /** Of the memory, in bytes, besides `MEMORY_FOLDERS`: of anonymous files. */
  readonly memory: number;
  /** The files that are `memory`, as `device:inode`. */
  readonly inMemory: ReadonlySet<string>;
}

/** Why the files of a build cannot be counted: it has too many, or hides them. */
export type OpenFilesLimit = 'open-files' | 'hidden';

const NOTHING: DeletedSpace = { disk: 0, memory: 0, inMemory: new Set() };

/** Watches the deleted files that processes of a sandbox have open. */
export class DeletedFiles {
  /** What was found last. */
  latest = NOTHING;
  private readonly init: string;
  private readonly folders: JobFolders;
  private readonly isMemory = new Map<number, boolean>();
  private hiddenSince = new Map<string, number>();
  private isTooMany = false;
  private failure: unknown = null;
  private nextAt = 0;
  private reading: Promise<DeletedSpace> | null = null;
  private readonly stopped = new AbortController();

  /** @param init the folder of the first process of the sandbox in `/proc` */
  constructor(init: string, folders: JobFolders) {
    this.init = init;
    this.folders = folders;
  }

  /**
   * Why files could not be counted; `null`: they could.
   *
   * @throws Error if the runner could not look
   */
  limit(): OpenFilesLimit | null {
    if (this.failure !== null) throw this.failure;
    if (this.isTooMany) return 'open-files';
    const isHiding = [...this.hiddenSince.values()].some((since) => Date.now() - since > HIDDEN_FOR);
    return isHiding ? 'hidden' : null;
  }

  /** Begins to look if it is time. @param processes their folders in the `/proc` of the sandbox */
  poll(processes: readonly string[]): void {
    if (this.reading === null && Date.now() >= this.nextAt) void this.read(processes);
  }

  /** Looks now, after a look that runs: memory that a process has freed must no longer count. */
  async read(processes: readonly string[]): Promise<DeletedSpace> {
    while (this.reading !== null) await this.reading;
    this.reading = this.look(processes).finally(() => (this.reading = null));
    return this.reading;
  }

  /** Ends a look that runs. */
  async stop(): Promise<void> {
    this.stopped.abort();
    await this.reading;
  }

  private async look(processes: readonly string[]): Promise<DeletedSpace> {
    const startedAt = Date.now();
    if (processes.length === 0) return this.latest;
    try {
      const { deleted, hidden, isTooMany } = await readOpenFiles(this.init, processes, this.stopped.signal);
      this.isTooMany ||= isTooMany;
      this.hiddenSince = new Map(hidden.map((folder) => [folder, this.hiddenSince.get(folder) ?? startedAt]));
      this.latest = await this.sum(deleted);
    } catch (error) {
      // At its end, the sandbox no longer has `/proc`.
      const isThere = await stat(procOf(this.init)).catch(() => null);
      if (isThere !== null && !this.stopped.signal.aborted) this.failure = error;
    }
    this.nextAt = Date.now() + Math.max(PAUSE, PAUSE_FACTOR * (Date.now() - startedAt));
    return this.latest;
  }

  private async sum(deleted: readonly DeletedFile[]): Promise<DeletedSpace> {
    const { repo, home, cache } = this.folders;
    const onDisk = await devicesOf([repo, home, cache]);
    const counted = await devicesOf(MEMORY_FOLDERS.map((path) => join(this.init, 'root', path)));
    const files = new Map(deleted.map((file) => [keyOf(file.device, file.inode), file]));
    const inMemory = new Set<string>();
    let disk = 0;
    let memory = 0;
    for (const [key, file] of files) {
      if (!onDisk.has(file.device) && counted.has(file.device)) continue;
      if (onDisk.has(file.device) || !(await this.liesInMemory(file))) {
        disk += file.bytes;
      } else {
        memory += file.bytes;
        inMemory.add(key);
      }
    }
    return { disk, memory, inMemory };
  }

  /** Also `true` if its process has ended before it could be found out. */
  private async liesInMemory({ device, path }: DeletedFile): Promise<boolean> {
    const known = this.isMemory.get(device);
    if (known !== undefined) return known;
    const { type } = await statfs(join(procOf(this.init), path)).catch(() => ({ type: null }));
    if (type === null) return true;
    this.isMemory.set(device, MEMORY_TYPES.includes(type));
    return MEMORY_TYPES.includes(type);
  }
}

/** How a file is named here. */
export function keyOf(device: number, inode: string): string {
  return `${device}:${inode}`;
}

/** The devices of paths that exist. */
export async function devicesOf(paths: readonly string[]): Promise<Set<number>> {
  const found = await Promise.all(
    paths.map((path) =>
      stat(path).then(
        ({ dev }) => [dev],
        () => [],
      ),
    ),
  );
  return new Set(found.flat());
}
