import { randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobFolders } from '../folders/job-folders.js';

/**
 * Makes folders for signing in the folder of a job, beside those that the build sees. They have their own name, so that
 * a build that left its sandbox could not have made them before.
 *
 * @param root of the job
 * @returns folders as those of a job; `repo` is for the package
 */
export async function makeSigningFolders(root: string): Promise<JobFolders> {
  const own = join(root, `signing-${randomUUID()}`);
  const folders = {
    root: own,
    repo: join(own, 'package'),
    home: join(own, 'home'),
    cache: join(own, 'cache'),
    artifacts: join(own, 'artifacts'),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { mode: 0o700 });
  return folders;
}
