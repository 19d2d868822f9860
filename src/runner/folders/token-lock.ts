import { createHash, randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive, ownIdentity, parseIdentity } from './process-identity.js';

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
  const own = JSON.stringify({ ...ownIdentity(), id: randomUUID() });
  const temporary = `${path}.${randomUUID()}`;
  await writeFile(temporary, own, { mode: 0o600 });
  try {
    for (;;) {
      if (await isLinked(temporary, path)) break;
      const text = await readFile(path, 'utf8').catch(() => '');
      const owner = parseIdentity(text);
      // In another container it cannot be seen: then the API ends the session of one of them.
      if (owner !== null && isAlive(owner) === true) {
        throw new TokenInUseError(
          `Process ${owner.pid} is a runner with this token and folder already: register another runner, or use RUNNER_SLOTS for more jobs at the same time.`,
        );
      }
      await rm(path, { force: true });
    }
  } finally {
    await rm(temporary, { force: true });
  }
  return async () => {
    if ((await readFile(path, 'utf8').catch(() => '')) === own) await rm(path, { force: true });
  };
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
