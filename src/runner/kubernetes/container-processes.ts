import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';

/** Milliseconds between two looks for processes that die. */
const LOOK = 5;

/** Whether this process is the first one of its container, which sees no process of others. */
export function isFirstProcess(): boolean {
  return process.pid === 1;
}

/**
 * Kills every other process of the container, and waits until they are dead.
 *
 * @throws Error in any other process than the first one of a container: there it would kill those of the machine
 */
export async function killOthers(): Promise<void> {
  if (!isFirstProcess()) throw new Error('Only the first process of a container may do this.');
  while (await hasOthers()) {
    try {
      process.kill(-1, 'SIGKILL');
    } catch (error) {
      // The last one has just died.
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
    await sleep(LOOK);
  }
}

/** Whether a process besides this one lives. Those that are dead stay in the list until their parent asks for them. */
async function hasOthers(): Promise<boolean> {
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name) || name === '1') continue;
    const stat = await readFile(`/proc/${name}/stat`, 'latin1').catch(() => null);
    // The name of the program is in parentheses and may contain some itself.
    const state = stat?.slice(stat.lastIndexOf(')') + 2)[0];
    if (state !== undefined && state !== 'Z' && state !== 'X') return true;
  }
  return false;
}

/** How many processes of the container the system has killed for their memory; `null`: it does not say. */
export async function countOutOfMemory(): Promise<number | null> {
  const events = await readFile('/sys/fs/cgroup/memory.events', 'latin1').catch(() => '');
  const count = /^oom_kill (\d+)$/m.exec(events)?.[1];
  return count === undefined ? null : Number(count);
}
