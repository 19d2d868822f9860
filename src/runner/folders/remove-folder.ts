import { execFile } from 'node:child_process';
import { access } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);
/** What they print about millions of files does not end them. In bytes. */
const QUIET = { maxBuffer: Infinity };

/**
 * Removes a folder that a build has filled, if it exists: also files and folders without permission bits, and paths that
 * are longer than the system takes. Follows no symbolic link. A program does it: `rm` of Node.js holds all names of a
 * folder, and a build may have made millions.
 *
 * @throws Error when something is left
 */
export async function removeFolder(path: string): Promise<void> {
  await run('rm', ['-rf', '--', path], QUIET).catch(() => undefined);
  if (!(await exists(path))) return;
  await run('chmod', ['-R', 'u+rwX', '--', path], QUIET).catch(() => undefined);
  await run('rm', ['-rf', '--', path], QUIET).catch(() => undefined);
  if (await exists(path)) throw new Error(`${path} cannot be removed.`);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
}
