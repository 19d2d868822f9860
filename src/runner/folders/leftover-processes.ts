import { readdir, readFile, readlink } from 'node:fs/promises';
import { basename, join } from 'node:path';

/**
 * Kills what a build has left: processes whose `HOME` is in the folder of the job (without a sandbox), and those that have
 * a folder of the job mounted or its files open (a sandbox whose runner was killed in the moment in which it began). Only on
 * Linux; elsewhere it does nothing.
 *
 * @param root folder of a job, which has a name that no other folder has
 */
export async function killProcessesOf(root: string): Promise<void> {
  const variable = Buffer.from(`\0HOME=${root}/`);
  // The path begins at the root of its file system.
  const mounted = `/${basename(root)}/`;
  const names = await readdir('/proc').catch(() => []);
  for (const name of names) {
    const pid = Number(name);
    if (!(pid > 1) || pid === process.pid) continue;
    // Processes of others cannot be read, and they may end at any moment.
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => Buffer.alloc(0));
    const isOfJob =
      Buffer.concat([Buffer.from('\0'), environment]).includes(variable) ||
      (await readFile(`/proc/${pid}/mountinfo`, 'utf8').catch(() => '')).includes(mounted) ||
      (await hasOpen(pid, root));
    if (!isOfJob) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}

async function hasOpen(pid: number, root: string): Promise<boolean> {
  const folder = `/proc/${pid}/fd`;
  const descriptors = await readdir(folder).catch(() => []);
  const paths = descriptors.map((name) => readlink(join(folder, name)).catch(() => ''));
  return (await Promise.all(paths)).some((path) => path.startsWith(`${root}/`));
}
