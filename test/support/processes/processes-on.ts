import { readdir, readFile } from 'node:fs/promises';

/** The command lines of running processes that name a folder. Zombies have none. */
export async function processesOn(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // A process may end while it is read.
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.map((line) => line.replaceAll('\0', ' ').trim()).filter((line) => line.includes(folder));
}
