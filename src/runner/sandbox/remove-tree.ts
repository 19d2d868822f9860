import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { promisify } from 'node:util';

/**
 * Removes a folder that a build has filled, also if the build has taken away its own permissions. A folder that does not
 * exist is fine.
 */
export async function removeTree(path: string): Promise<void> {
  const remove = () => rm(path, { recursive: true, force: true, maxRetries: 3 });
  try {
    await remove();
  } catch {
    // It follows no links that it finds in the tree.
    await promisify(execFile)('chmod', ['-R', 'u+rwX', '--', path]).catch(() => undefined);
    await remove();
  }
}
