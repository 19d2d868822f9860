import { readdir, readFile } from 'node:fs/promises';
import { basename } from 'node:path';

/** The command lines of running processes that name a folder. Zombies have none. */
export async function processesOn(folder: string): Promise<string[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  // A process may end while it is read.
  const lines = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')),
  );
  return lines.map((line) => line.replaceAll('\0', ' ').trim()).filter((line) => line.includes(folder));
}

/** The processes that have something of this folder mounted or in their command line, as sandboxes do. */
export async function processesOf(folder: string): Promise<string[]> {
  const found = (await readdir('/proc')).filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  const texts = found.map(async (pid) => {
    const files = ['cmdline', 'mountinfo'].map((file) =>
      readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => ''),
    );
    const [command = '', mounts = ''] = await Promise.all(files);
    return `${command}${mounts}`.includes(basename(folder)) ? [`${pid} ${command}`] : [];
  });
  return (await Promise.all(texts)).flat();
}
