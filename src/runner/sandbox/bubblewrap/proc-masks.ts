import { lstat, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What programs read about the machine. Nothing of it can be written. */
const SHOWN = new Set(
  'cpuinfo diskstats filesystems loadavg meminfo partitions stat swaps uptime version vmstat self thread-self mounts net cgroups devices'.split(
    ' ',
  ),
);

/**
 * Options that hide what else is in `/proc`, besides the processes. If the runner is root, the build owns these files: the
 * kernel lets it write `/proc/sys/kernel/core_pattern`, which names a program that root starts, although the build has
 * no capability. bubblewrap 0.8 leaves it writable.
 */
export async function procMasks(): Promise<string[]> {
  const names = (await readdir('/proc')).filter((name) => !/^\d+$/.test(name) && !SHOWN.has(name));
  const masks = names.map(async (name) => {
    const path = join('/proc', name);
    if (name === 'sys') return ['--ro-bind', path, path];
    const entry = await lstat(path);
    if (entry.isDirectory()) return ['--tmpfs', path, '--remount-ro', path];
    return entry.isFile() ? ['--ro-bind', '/dev/null', path] : [];
  });
  return (await Promise.all(masks)).flat();
}
