import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from './process-identity.js';
import { tryLock } from './process-lock.js';

/** Another process uses the same folder with the same token. */
export class TokenInUseError extends Error {}

/**
 * Makes sure that this process alone uses the token in this folder: the two would end each other's sessions.
 *
 * @param dir `RUNNER_DIR/runners`
 * @returns gives it back
 * @throws TokenInUseError
 */
export async function lockToken(dir: string, token: string): Promise<() => Promise<void>> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const path = join(dir, `${createHash('sha256').update(token).digest('hex').slice(0, 32)}.json`);
  // In another container it cannot be seen: then the API ends the session of one of them.
  const lock = await tryLock(path, (owner) => isAlive(owner) !== true);
  if (lock.owner === null) return lock.release;
  throw new TokenInUseError(
    `Process ${lock.owner.pid} is a runner with this token and folder already: register another runner, or use RUNNER_SLOTS for more jobs at the same time.`,
  );
}
