import { execFile } from 'node:child_process';
import { access, rm } from 'node:fs/promises';
import { promisify } from 'node:util';

const run = promisify(execFile);

/**
 * Removes a folder that a build has filled: also files and folders without permission bits, and paths that are longer than
 * the system takes. Follows no symbolic link.
 *
 * @throws Error when something is left
 */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 2 });
    return;
  } catch {
    // The programs of the system go from folder to folder, so that no path is too long.
  }
  await run('chmod', ['-R', 'u+rwX', '--', path]).catch(() => undefined);
  await run('rm', ['-rf', '--', path]).catch(() => undefined);
  if (await exists(path)) throw new Error(`${path} cannot be removed.`);
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    (error: NodeJS.ErrnoException) => error.code !== 'ENOENT',
  );
}
