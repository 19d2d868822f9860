import { closeSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';

/** Longer than any build takes, in milliseconds: the process id of an older lock belongs to another program. */
const LONGEST = 5 * 60_000;

/** Runs `work` while no other process does with the same file. Takes over from a process that was killed. */
export async function withBuildLock(file: string, work: () => Promise<void>): Promise<void> {
  let isWaiting = false;
  while (!isTaken(file)) {
    if (!isWaiting) console.error('Waiting for another build …');
    isWaiting = true;
    await setTimeout(100);
  }
  const release = (): void => rmSync(file, { force: true });
  process.on('exit', release);
  try {
    await work();
  } finally {
    release();
    process.off('exit', release);
  }
}

/** @returns whether this process has the lock now */
function isTaken(file: string): boolean {
  try {
    const lock = openSync(file, 'wx');
    writeSync(lock, String(process.pid));
    closeSync(lock);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  // Removing an abandoned lock does not take it: all that wait compete for the next.
  if (isAbandoned(file)) rmSync(file, { force: true });
  return false;
}

function isAbandoned(file: string): boolean {
  try {
    const age = Date.now() - statSync(file).mtimeMs;
    const pid = Number(readFileSync(file, 'utf8'));
    // Empty for a moment, while its owner writes.
    return age > LONGEST || (age > 1000 && !isAlive(pid));
  } catch {
    return false;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return pid > 0;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
