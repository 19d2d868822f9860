import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NAME_SERVER } from '../network/routes.js';
import type { JobFolders } from '../../folders/job-folders.js';
import { seccompFilter } from './seccomp.js';

/** The user and the group of builds, as they see themselves. */
export const BUILD_ID = '1000';
/** Where builds see their folders. Users know the first path from hosted machines. */
export const INNER_FOLDERS = {
  repo: '/tmp/capawesome/repo',
  home: '/home/build',
  cache: '/tmp/capawesome/cache',
} as const;

/** Files of `/etc` that are made for builds, by the path at which they see them. */
const files = {
  '/etc/passwd': `root:x:0:0:root:/root:/usr/sbin/nologin\nbuild:x:${BUILD_ID}:${BUILD_ID}:build:${INNER_FOLDERS.home}:/bin/sh\n`,
  '/etc/group': `root:x:0:\nbuild:x:${BUILD_ID}:\n`,
  '/etc/hosts': '127.0.0.1 localhost build\n::1 localhost\n',
  '/etc/nsswitch.conf': 'passwd: files\ngroup: files\nhosts: files dns\n',
} as const;

/** Files of the runner that a sandbox needs. */
export interface InnerFiles {
  /** Options of bubblewrap that show the files. */
  readonly options: readonly string[];
  /** Further options for each network. */
  readonly resolvers: Readonly<Record<'build' | 'fetch', readonly string[]>>;
  /** Options that show other lines in `/etc/hosts`, to follow all others. @param names further lines */
  showHosts(names: readonly string[]): Promise<readonly string[]>;
  /** The file with the filter of system calls; `null`: there is none for this machine. */
  readonly seccomp: string | null;
}

/**
 * Writes the files into a folder of the job that builds do not see.
 *
 * @param names further lines of `/etc/hosts`
 */
export async function writeInnerFiles(
  folders: JobFolders,
  names: readonly string[] = [],
): Promise<InnerFiles> {
  // A build of a runner that is root can make programs that run as root. No other user of the machine may find them.
  await chmod(folders.root, 0o700);
  const folder = join(folders.root, 'sandbox');
  await mkdir(folder, { recursive: true });
  const write = async (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    await writeFile(path, content, { mode: 0o644 });
    return path;
  };
  const show = async (target: string, name: string, content: string) => [
    '--ro-bind',
    await write(name, content),
    target,
  ];
  const options = [];
  const hostsWith = (more: readonly string[]): string =>
    [files['/etc/hosts'], ...[...names, ...more].map((line) => `${line}\n`)].join('');
  for (const [target, content] of Object.entries({ ...files, '/etc/hosts': hostsWith([]) })) {
    options.push(...(await show(target, target.slice('/etc/'.length), content)));
  }
  const filter = seccompFilter(process.arch);
  const machine = await readFile('/etc/resolv.conf', 'utf8').catch(() => '');
  return {
    options,
    resolvers: {
      build: await show('/etc/resolv.conf', 'resolv.build.conf', `nameserver ${NAME_SERVER}\n`),
      fetch: await show('/etc/resolv.conf', 'resolv.fetch.conf', machine),
    },
    showHosts: (more) => show('/etc/hosts', 'hosts.opened', hostsWith(more)),
    seccomp: filter === null ? null : await write('seccomp.bpf', filter),
  };
}
