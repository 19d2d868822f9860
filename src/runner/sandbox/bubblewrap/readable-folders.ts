import { realpath, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { isAbsolute, relative } from 'node:path';
import { SandboxSettingError } from '../sandbox-options.js';

/** Folders that hold more than programs: secrets, sockets, other jobs. */
const REFUSED = [
  '/',
  '/boot',
  '/dev',
  '/etc',
  '/home',
  '/media',
  '/mnt',
  '/proc',
  '/root',
  '/run',
  '/sys',
  '/tmp',
  '/var',
];
/** Folders in which everything is refused. */
const REFUSED_TREES = ['/dev', '/etc', '/proc', '/run', '/sys', '/var/run'];

/** A folder of the machine that builds see. */
export interface ReadableFolder {
  /** Where it is. */
  readonly source: string;
  /** Where builds see it: the path that the operator wrote. */
  readonly target: string;
}

/**
 * Checks the folders that builds may read. Those below `/usr` are left out: builds see it anyway.
 *
 * @param hidden folders that must not become visible, such as that of the jobs
 * @throws SandboxSettingError
 */
export async function readableFolders(
  folders: readonly string[],
  hidden: readonly string[],
): Promise<ReadableFolder[]> {
  const found = [];
  for (const target of new Set(folders)) {
    const source = await realpath(target).catch(() => {
      throw new SandboxSettingError(`The folder ${target}, which builds may read, does not exist.`);
    });
    await refuse(target, source, hidden);
    if (!contains('/usr', source) || !contains('/usr', target)) found.push({ source, target });
  }
  return found;
}

async function refuse(target: string, source: string, hidden: readonly string[]): Promise<void> {
  const isRefused =
    !isAbsolute(target) ||
    !(await stat(source)).isDirectory() ||
    [source, target].some(
      (path) =>
        REFUSED.includes(path) ||
        path === homedir() ||
        REFUSED_TREES.some((tree) => contains(tree, path)) ||
        /^\/home\/[^/]+$/.test(path),
    ) ||
    hidden.some((path) => contains(source, path) || contains(path, source));
  if (isRefused) {
    throw new SandboxSettingError(
      `Builds cannot be shown ${target}: it holds more than programs. Name the folder of the program itself.`,
    );
  }
}

/** Whether the path is the folder or lies in it. */
export function contains(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../');
}
