import { readFileSync } from 'node:fs';

/** How often a process is looked at when it may have used its processor time. */
const INTERVAL_MS = 100;
/** Unit of processor times in `/proc`, the same on all kinds of processors (`USER_HZ`). */
const TICK_MS = 10;

/** How long a process may take. */
export interface ProcessLimits {
  /** Of processor time, in milliseconds. */
  readonly processorMs: number;
  /** Until it has got that much, in milliseconds: at least `processorMs`. */
  readonly wallMs: number;
}

/** What a process has reached: `wall` means that the machine did not give it its processor time. */
export type ProcessLimit = 'processor' | 'wall';

/**
 * Watches how long a process takes. A process that others keep from the processor gets longer than one that uses it, except
 * where the system does not show processor times: then all time counts as used.
 *
 * @param reached is called once, unless the watch ends before
 * @returns ends the watch
 */
export function watchProcess(
  pid: number | undefined,
  { processorMs, wallMs }: ProcessLimits,
  reached: (limit: ProcessLimit) => void,
): () => void {
  const startedAt = performance.now();
  let hasEnded = false;
  const look = (): void => {
    const used = processorTimeOf(pid);
    const limit = used === null || used >= processorMs ? 'processor' : 'wall';
    if (limit === 'wall' && performance.now() - startedAt < wallMs) {
      timer = setTimeout(look, INTERVAL_MS);
    } else {
      // What the process has sent in the meantime counts, also when this process was kept from reading it.
      setImmediate(() => {
        if (!hasEnded) reached(limit);
      });
    }
  };
  // Nothing uses its processor time sooner, unless it has several threads.
  let timer = setTimeout(look, processorMs);
  return () => {
    hasEnded = true;
    clearTimeout(timer);
  };
}

/** In milliseconds; `null`: the system does not say. */
function processorTimeOf(pid: number | undefined): number | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // Behind the name, which may contain anything: from the state on, which is field 3. See proc_pid_stat(5).
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const [user, system] = [Number(fields[11]), Number(fields[12])];
    return Number.isFinite(user + system) ? (user + system) * TICK_MS : null;
  } catch {
    return null;
  }
}
