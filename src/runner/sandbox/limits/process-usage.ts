import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** One process of a sandbox. */
export interface ProcessUsage {
  /**
   * Its folder in the `/proc` of the sandbox, such as `12`; that of another thread, such as `12/task/15`, when the first
   * one has ended: then the folder of the process says nothing of the memory and the files of the others.
   */
  readonly folder: string;
  /** The process and its threads. */
  readonly tasks: number;
  /** In bytes, also in swap. What processes share counts in each of them. Without files that the system caches. */
  readonly memory: number;
}

/** The folder in which a sandbox sees its processes. @param init the folder of its first process in `/proc` */
export function procOf(init: string): string {
  return join(init, 'root/proc');
}

/**
 * Reads what each process of a sandbox uses, by its own `/proc`, which lists nothing else.
 *
 * @param pids of `listProcesses`
 */
export async function readProcesses(init: string, pids: readonly string[]): Promise<ProcessUsage[]> {
  return Promise.all(pids.map((pid) => readProcess(procOf(init), pid)));
}

/** The numbers of the processes of a sandbox, as it sees them. @param init as above */
export async function listProcesses(init: string): Promise<string[]> {
  const names = (await isEntered(join(init, 'root'))) ? await readdir(procOf(init)).catch(() => []) : [];
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

async function readProcess(proc: string, pid: string): Promise<ProcessUsage> {
  const first = await readTask(proc, pid);
  if (!first.hasEnded || first.tasks < 2) return first;
  for (const thread of await readdir(join(proc, pid, 'task')).catch(() => [])) {
    const task = await readTask(proc, join(pid, 'task', thread));
    if (!task.hasEnded) return task;
  }
  return first;
}

async function readTask(proc: string, folder: string): Promise<ProcessUsage & { hasEnded: boolean }> {
  const text = await readFile(join(proc, folder, 'status'), 'utf8').catch(() => '');
  return {
    folder,
    hasEnded: /^State:\s+[ZX]/m.test(text),
    tasks: numberOf(text, 'Threads'),
    memory: 1024 * (numberOf(text, 'RssAnon') + numberOf(text, 'RssShmem') + numberOf(text, 'VmSwap')),
  };
}

/** A figure of a file of `/proc`; 0 if it is absent. @param field such as `Threads` */
export function numberOf(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}
