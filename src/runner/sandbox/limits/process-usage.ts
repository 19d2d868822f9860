import { readdir, readFile, stat, statfs } from 'node:fs/promises';
import { join } from 'node:path';

/** What the processes of a sandbox use. */
export interface ProcessUsage {
  /** Processes and threads. */
  readonly tasks: number;
  /** In bytes: memory of the processes, also in swap, and files in memory. Without files that the system caches. */
  readonly memory: number;
}

/** Folders of a sandbox that lie in memory. */
const MEMORY_FOLDERS = ['/tmp', '/dev/shm'];

/**
 * Reads what all processes of a sandbox use, by its own `/proc`, which lists nothing else.
 *
 * @param init the folder of the first process of the sandbox in `/proc`
 * @param enough stops to read when the processes are more than this, or their memory is
 */
export async function readProcessUsage(
  init: string,
  enough: { tasks: number; memory: number },
): Promise<ProcessUsage> {
  const root = join(init, 'root');
  const pids = await listProcesses(init);
  if (pids.length > enough.tasks) return { tasks: pids.length, memory: 0 };
  const files = pids.length === 0 ? 0 : await memoryOfFiles(root);
  const processes = await Promise.all(pids.map((pid) => readStatus(join(root, 'proc', pid))));
  const tasks = processes.reduce((sum, process) => sum + process.tasks, 0);
  const memory = files + processes.reduce((sum, process) => sum + process.memory, 0);
  if (memory <= enough.memory) return { tasks, memory };
  // Pages that processes share count in each of them so far. To divide them costs the kernel more time.
  const shares = await Promise.all(pids.map((pid) => readShare(join(root, 'proc', pid))));
  const divided = processes.reduce((sum, process, index) => sum + (shares[index] ?? process.memory), 0);
  return { tasks, memory: files + divided };
}

/** The numbers of the processes of a sandbox, as it sees them. @param init as above */
export async function listProcesses(init: string): Promise<string[]> {
  const root = join(init, 'root');
  const names = (await isEntered(root)) ? await readdir(join(root, 'proc')).catch(() => []) : [];
  return names.filter((name) => /^\d+$/.test(name));
}

/**
 * Whether a process of the sandbox holds its first one, as debuggers do: then the command would never end.
 *
 * @param init as above
 */
export async function isStopped(init: string): Promise<boolean> {
  return /^State:\s+[Tt]/m.test(await readFile(join(init, 'status'), 'utf8').catch(() => ''));
}

/** Whether the sandbox has its own root already: until then, the folders are those of the machine. */
async function isEntered(root: string): Promise<boolean> {
  const [inner, outer] = await Promise.all([stat(root).catch(() => null), stat('/')]);
  return inner !== null && inner.dev !== outer.dev;
}

async function readStatus(folder: string): Promise<ProcessUsage> {
  const text = await readFile(join(folder, 'status'), 'utf8').catch(() => '');
  return {
    tasks: numberOf(text, 'Threads'),
    memory: 1024 * (numberOf(text, 'RssAnon') + numberOf(text, 'RssShmem') + numberOf(text, 'VmSwap')),
  };
}

/** The memory of a process in bytes, with its share of what it has together with others; `null`: unknown. */
async function readShare(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, 'smaps_rollup'), 'utf8').catch(() => '');
  if (text === '') return null;
  return 1024 * (numberOf(text, 'Pss_Anon') + numberOf(text, 'Pss_Shmem') + numberOf(text, 'SwapPss'));
}

async function memoryOfFiles(root: string): Promise<number> {
  const sizes = MEMORY_FOLDERS.map(async (path) => {
    const { blocks, bfree, bsize } = await statfs(join(root, path)).catch(() => ({
      blocks: 0,
      bfree: 0,
      bsize: 0,
    }));
    return (blocks - bfree) * bsize;
  });
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
}

function numberOf(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}
