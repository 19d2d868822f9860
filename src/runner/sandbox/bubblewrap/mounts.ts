import { lstat, readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { JobFolders } from '../../folders/job-folders.js';
import { BUILD_ID, INNER_FOLDERS, type InnerFiles } from './inner-files.js';
import type { ReadableFolder } from './readable-folders.js';

/** What programs read about the machine. Nothing of it can be written. */
const SHOWN = new Set(
  'cpuinfo diskstats filesystems loadavg meminfo partitions stat swaps uptime version vmstat self thread-self mounts net cgroups devices'.split(
    ' ',
  ),
);

/** Public files of `/etc`: certificates of authorities, time zone, and where programs are. Never a folder with keys. */
const PUBLIC_FILES = [
  '/etc/alternatives',
  '/etc/ca-certificates',
  '/etc/ca-certificates.conf',
  '/etc/fonts',
  '/etc/ld.so.cache',
  '/etc/localtime',
  '/etc/mime.types',
  '/etc/pki/ca-trust/extracted',
  '/etc/pki/tls/certs',
  '/etc/protocols',
  '/etc/services',
  '/etc/ssl/cert.pem',
  '/etc/ssl/certs',
  '/etc/ssl/openssl.cnf',
];

/** Folders of `/` that are links into `/usr` on most systems. */
const SYSTEM_FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Namespaces and privileges: a user without capabilities, who cannot make further namespaces. */
const NAMESPACES = [
  ['--unshare-user', '--uid', BUILD_ID, '--gid', BUILD_ID, '--disable-userns', '--cap-drop', 'ALL'],
  ['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--hostname', 'build', '--unshare-cgroup-try'],
  // The first process is a shell that waits for the command: with its end, the kernel ends all others.
  ['--new-session', '--die-with-parent', '--as-pid-1'],
].flat();

/** What a sandbox shows. */
export interface View {
  readonly folders: JobFolders;
  readonly files: InnerFiles;
  readonly readable: readonly ReadableFolder[];
  /** How large `/tmp` and `/dev/shm` can become, in bytes each. They lie in memory. */
  readonly tmpBytes: number;
}

/** The options of bubblewrap that say what commands see; only what is named here exists. `--remount-ro /` must follow. */
export async function viewOptions({ folders, files, readable, tmpBytes }: View): Promise<string[]> {
  const tmpfs = (path: string) => ['--size', String(tmpBytes), '--tmpfs', path];
  const layers = [
    NAMESPACES,
    ['--ro-bind', '/usr', '/usr', ...(await systemFolders())],
    (await publicFiles()).flatMap((path) => ['--ro-bind-try', path, path]),
    files.options,
    ['--dev', '/dev', ...tmpfs('/dev/shm'), '--remount-ro', '/dev'],
    ['--proc', '/proc', ...(await procMasks())],
    [...tmpfs('/tmp'), '--dir', '/run', '--symlink', '../tmp', '/var/tmp', '--symlink', '../run', '/var/run'],
    readable.flatMap(({ source, target }) => ['--ro-bind', source, target]),
    ['--bind', folders.repo, INNER_FOLDERS.repo],
    ['--bind', folders.home, INNER_FOLDERS.home],
    ['--bind', folders.cache, INNER_FOLDERS.cache],
  ];
  return layers.flat();
}

async function systemFolders(): Promise<string[]> {
  const options = SYSTEM_FOLDERS.map(async (path) => {
    const entry = await lstat(path).catch(() => null);
    if (entry === null) return [];
    return entry.isSymbolicLink() ? ['--symlink', await readlink(path), path] : ['--ro-bind', path, path];
  });
  return (await Promise.all(options)).flat();
}

async function publicFiles(): Promise<string[]> {
  const java = (await readdir('/etc')).filter((name) => /^java(-|$)/.test(name));
  return [...PUBLIC_FILES, ...java.map((name) => `/etc/${name}`)];
}

/**
 * Options that hide what else is in `/proc`, besides the processes. If the runner is root, the build owns these files: the
 * kernel lets it write `/proc/sys/kernel/core_pattern`, which names a program that root starts, although the build has
 * no capability. bubblewrap 0.8 leaves it writable.
 */
async function procMasks(): Promise<string[]> {
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
