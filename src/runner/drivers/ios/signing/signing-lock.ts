import { stat, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, type ProcessIdentity } from '../../../folders/process-identity.js';
import { tryLock } from '../../../folders/process-lock.js';
import type { BuildRun } from '../../../steps/build-run.js';

const LOCK_FILE = 'lock.json';
/** How often a waiting build looks, in milliseconds. */
const LOOK_EVERY = 500;
/** How often the process that has the lock shows that it is alive, in milliseconds. */
const TOUCH_EVERY = 30_000;
/** After so long without a sign of life, a process that cannot be seen counts as dead, in milliseconds. */
const DEAD_AFTER = 4 * TOUCH_EVERY;

/** Gives the lock back. */
export type Unlock = () => Promise<void>;

/**
 * Takes the lock of the user: the search list of keychains and the installed profiles are those of all processes of a user.
 *
 * @param signingDir which exists
 * @returns `null`: another build has it
 */
export async function tryLockSigning(signingDir: string): Promise<Unlock | null> {
  const path = join(signingDir, LOCK_FILE);
  const lock = await tryLock(path, (owner) => isGone(owner, path));
  if (lock.owner !== null) return null;
  const { release } = lock;
  const timer = setInterval(() => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  }, TOUCH_EVERY);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await release();
  };
}

/**
 * Waits for the lock, and logs that once.
 *
 * @throws the reason of the signal
 */
export async function lockSigning(
  signingDir: string,
  { log, signal }: Pick<BuildRun, 'log' | 'signal'>,
): Promise<Unlock> {
  for (let isFirst = true; ; isFirst = false) {
    signal.throwIfAborted();
    const unlock = await tryLockSigning(signingDir);
    if (unlock !== null) return unlock;
    if (isFirst) log.line('Waiting for another build that signs on this Mac: one at a time does');
    // A build that waits is not idle.
    log.write(Buffer.alloc(0));
    await sleep(LOOK_EVERY, undefined, { signal }).catch(() => undefined);
  }
}

/** The name of a Mac can change with its network: then the process cannot be seen, but it may be there. */
async function isGone(owner: ProcessIdentity, path: string): Promise<boolean> {
  const alive = isAlive(owner);
  if (alive !== null) return !alive;
  const touched = await stat(path).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  return Date.now() - touched > DEAD_AFTER;
}
