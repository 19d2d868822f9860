import { readdir, readFile } from 'node:fs/promises';

/**
 * Kills processes whose `HOME` is this folder: what a build without a sandbox started, and what outlived a runner that was
 * killed. In a sandbox, processes end with their runner. Only on Linux; elsewhere it does nothing.
 */
export async function killProcessesOf(home: string): Promise<void> {
  const variable = Buffer.from(`\0HOME=${home}\0`);
  const names = await readdir('/proc').catch(() => []);
  for (const name of names) {
    const pid = Number(name);
    if (!(pid > 1) || pid === process.pid) continue;
    // Processes of others cannot be read, and they may end at any moment.
    const environment = await readFile(`/proc/${pid}/environ`).catch(() => null);
    if (environment === null || !Buffer.concat([Buffer.from('\0'), environment]).includes(variable)) continue;
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It has ended.
    }
  }
}
