import { Worker } from 'node:worker_threads';

/**
 * Kills this process after a time, also while JavaScript or a library keeps its main thread busy: for a process whose parent
 * kills it earlier, as long as the parent lives.
 *
 * @param deadlineMs longer than the deadline of the parent
 */
export function endWithoutParent(deadlineMs: number): void {
  new Worker(`setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${deadlineMs})`, { eval: true }).unref();
}
