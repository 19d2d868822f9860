import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { isAlive, ownIdentity, parseIdentity, type ProcessIdentity } from './process-identity.js';

/** How long a process waits while another removes the lock of a dead one, in milliseconds. */
const AGAIN_AFTER = 10;

/** A lock that this process has, or the process that has it. */
export type LockResult =
  | {
      readonly owner: null;
      /** Gives it back. */
      readonly release: () => Promise<void>;
    }
  | { readonly owner: ProcessIdentity };

/**
 * Takes a lock that one process has at a time: a file that names it. The lock of a process that is dead is taken over.
 *
 * @param isGone whether the process that has it no longer needs it
 */
export async function tryLock(
  path: string,
  isGone: (owner: ProcessIdentity) => Promise<boolean> | boolean,
): Promise<LockResult> {
  const own = JSON.stringify({ ...ownIdentity(), id: randomUUID() });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, own, { mode: 0o600 });
  try {
    for (;;) {
      if (await isLinked(temporary, path)) break;
      const text = await readText(path);
      const owner = parseIdentity(text);
      if (owner !== null && !(await isGone(owner))) return { owner };
      await removeLock(path, text, temporary);
    }
  } finally {
    await rm(temporary, { force: true });
  }
  const release = async (): Promise<void> => {
    if ((await readText(path)) === own) await rm(path, { force: true });
  };
  return { owner: null, release };
}

/** Removes the lock of a dead process. One process does it at a time: another may have the lock by now. */
async function removeLock(path: string, text: string, temporary: string): Promise<void> {
  const guard = `${path}.removing`;
  if (!(await isLinked(temporary, guard))) {
    const remover = parseIdentity(await readText(guard));
    if (remover === null || isAlive(remover) !== true) await rm(guard, { force: true });
    await sleep(AGAIN_AFTER);
    return;
  }
  try {
    if ((await readText(path)) === text) await rm(path, { force: true });
  } finally {
    await rm(guard, { force: true });
  }
}

/** @returns `''`: there is no such file */
function readText(path: string): Promise<string> {
  return readFile(path, 'utf8').catch(() => '');
}

async function isLinked(from: string, to: string): Promise<boolean> {
  try {
    await link(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}
