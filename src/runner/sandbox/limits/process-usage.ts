import { open, readdir, readFile, stat } from 'node:fs/promises';
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
  /** How often it has run, if a signal has stopped it; `null`: it can run. */
  readonly stoppedAfter: number | null;
  /** Whether only its parent has not noticed its end. */
  readonly hasEnded: boolean;
}

/** More than `status` of a process has, in bytes. */
const LONGEST = 8192;

/** The number of the first process of a sandbox, as it sees it. */
const FIRST = '1';

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

/**
 * Which processes of a sandbox are stopped, and how often they have run, if these are all but the first one, which only waits.
 * Twice the same means that none has run in between, so that none continues another, and the command would never end.
 *
 * @returns `''`: there is one that can run, or none at all
 */
export function stoppedProcesses(processes: readonly ProcessUsage[]): string {
  const others = processes.filter(({ folder, hasEnded }) => folder !== FIRST && !hasEnded);
  const areStopped = others.every(({ stoppedAfter }) => stoppedAfter !== null);
  return areStopped ? others.map(({ folder, stoppedAfter }) => `${folder}:${stoppedAfter}`).join() : '';
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

async function readTask(proc: string, folder: string): Promise<ProcessUsage> {
  const text = await readShort(join(proc, folder, 'status')).catch(() => '');
  const runs = numberOf(text, 'voluntary_ctxt_switches') + numberOf(text, 'nonvoluntary_ctxt_switches');
  return {
    folder,
    hasEnded: !/^State:\s+[^ZX]/m.test(text),
    stoppedAfter: /^State:\s+T/m.test(text) ? runs : null,
    tasks: numberOf(text, 'Threads'),
    memory: 1024 * (numberOf(text, 'RssAnon') + numberOf(text, 'RssShmem') + numberOf(text, 'VmSwap')),
  };
}

/** Reads a short file of `/proc`. For each, `readFile` would take 64 KiB, and a build can have a thousand processes. */
async function readShort(path: string): Promise<string> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(LONGEST), 0, LONGEST, 0);
    return buffer.toString('latin1', 0, bytesRead);
  } finally {
    await file.close();
  }
}

/** A figure of a file of `/proc`; 0 if it is absent. @param field such as `Threads` */
export function numberOf(text: string, field: string): number {
  return Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(text)?.[1] ?? 0);
}
