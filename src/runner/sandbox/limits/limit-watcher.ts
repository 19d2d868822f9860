import { setTimeout as sleep } from 'node:timers/promises';
import type { JobFolders } from '../../folders/job-folders.js';
import type { SandboxLimit } from '../sandbox.js';
import { DeletedFiles } from './deleted-files.js';
import { DiskUsage } from './disk-usage.js';
import { exceedsMemory } from './memory-usage.js';
import type { ProcessHandle } from './process-handle.js';
import { isStopped, listProcesses, readProcesses, stoppedProcesses } from './process-usage.js';

/** The limits of one command. */
export interface Limits {
  /** In bytes. */
  readonly memory: number;
  /** Processes and threads. */
  readonly processes: number;
  /** In bytes. */
  readonly disk: number;
}

/** How often the processes of a command are counted, in milliseconds: the kernel does not stop those of a root runner. */
const INTERVAL = 80;
/** Every how many counts everything is looked at, which takes longer. */
const COUNTS_PER_LOOK = 3;

/** A watch over one command. */
export interface LimitWatch {
  /** Ends the watch. @returns the limit that was reached first; `null`: none. @throws why it could not watch */
  stop(): Promise<SandboxLimit | null>;
}

/**
 * Looks at a command until it is stopped or reaches a limit.
 *
 * @param init the first process of its sandbox
 * @param onExceeded ends the command
 */
export function watchLimits(
  init: ProcessHandle,
  folders: JobFolders,
  limits: Limits,
  onExceeded: () => void,
): LimitWatch {
  const files = new DeletedFiles(init.folder, folders);
  let found: readonly string[] = [];
  let stoppedBefore = '';
  const disk = new DiskUsage(folders, limits.disk, async () => (await files.read(found)).disk);
  const stopped = new AbortController();
  let exceeded: SandboxLimit | null = null;

  const look = async (): Promise<SandboxLimit | null> => {
    const pids = await listProcesses(init.folder);
    if (pids.length > limits.processes) return 'processes';
    const processes = await readProcesses(init.folder, pids);
    if (processes.reduce((sum, { tasks }) => sum + tasks, 0) > limits.processes) return 'processes';
    const stoppedNow = stoppedProcesses(processes);
    if (stoppedNow !== '' && stoppedNow === stoppedBefore) return 'all-stopped';
    stoppedBefore = stoppedNow;
    found = processes.map(({ folder }) => folder);
    files.poll(found);
    if (await exceedsMemory(limits.memory, init.folder, processes, files)) return 'memory';
    return files.limit() ?? ((await disk.isExceeded()) ? 'disk' : null);
  };
  const count = async (): Promise<SandboxLimit | null> =>
    (await listProcesses(init.folder)).length > limits.processes ? 'processes' : null;
  const watch = async () => {
    for (let turn = 0; exceeded === null && !stopped.signal.aborted; turn++) {
      exceeded = (await isStopped(init.folder))
        ? 'stopped'
        : await (turn % COUNTS_PER_LOOK === 0 ? look() : count());
      if (exceeded !== null) onExceeded();
      else await sleep(INTERVAL, undefined, { signal: stopped.signal }).catch(() => undefined);
    }
  };
  const watching = watch();
  // A command that cannot be watched does not continue. `stop` throws the reason.
  watching.catch(onExceeded);

  return {
    async stop() {
      stopped.abort();
      await Promise.all([watching, files.stop(), disk.stop()]);
      return exceeded;
    },
  };
}
