import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
/** Options of bubblewrap for what all containers have. */
const NAMESPACES =
  '--unshare-user --uid 1000 --gid 1000 --unshare-pid --as-pid-1 --unshare-ipc --cap-drop ALL --clearenv --new-session ' +
  '--die-with-parent --ro-bind /usr /usr --symlink usr/bin /bin --symlink usr/lib /lib --symlink usr/lib64 /lib64 ' +
  '--ro-bind /etc /etc --dev /dev --proc /proc';
const ENTRY_POINT = ['node', 'dist/slipway.js'];
const NODE = realpathSync(process.execPath);
const modules = realpathSync(join(root, 'node_modules'));

/** A container as a test runs it. */
export interface ContainerOptions {
  /** Instead of the entry point of the image. */
  readonly command?: readonly string[] | undefined;
  /** All of its environment besides `PATH` and `HOME`. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders of the machine by their path in the container. */
  readonly mounts: readonly { readonly from: string; readonly to: string; readonly readOnly?: boolean }[];
}

/** Whether this machine can keep processes apart as a container does. */
export const canRunContainers = ((): boolean => {
  try {
    execFileSync(
      'bwrap',
      ['--unshare-user', '--unshare-pid', '--ro-bind', '/', '/', '--proc', '/proc', 'true'],
      {
        stdio: 'ignore',
      },
    );
    return true;
  } catch {
    return false;
  }
})();

/**
 * Starts a container of the image: a process with its own user, processes and files, and only the environment and the
 * volumes that it is given. Its file system is read-only besides.
 *
 * @param args that follow the command
 */
export function startContainer(
  args: readonly string[],
  { command, env, mounts }: ContainerOptions,
): ChildProcess {
  const own = {
    PATH: `/app/node/bin:${['/usr/local/bin', '/usr/bin', '/bin'].join(':')}`,
    HOME: '/home/node',
    ...env,
  };
  const bind = (from: string, to: string, isReadOnly: boolean): string[] => [
    isReadOnly ? '--ro-bind' : '--bind',
    from,
    to,
  ];
  return spawn(
    'bwrap',
    [
      ...NAMESPACES.split(' '),
      ...bind(join(root, 'dist'), '/app/dist', true),
      ...bind(join(root, 'package.json'), '/app/package.json', true),
      ...bind(modules, '/app/node_modules', true),
      ...bind(NODE, '/app/node/bin/node', true),
      ...mounts.flatMap(({ from, to, readOnly = false }) => bind(from, to, readOnly)),
      '--remount-ro',
      '/',
      '--chdir',
      '/app',
      ...Object.entries(own).flatMap(([name, value]) => ['--setenv', name, value]),
      '--',
      ...(command ?? ENTRY_POINT),
      ...args,
    ],
    { stdio: ['ignore', 'pipe', 'pipe'], env: { PATH: process.env['PATH'] } },
  );
}
