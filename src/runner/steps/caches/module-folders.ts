import { chmod, lstat, readdir, realpath } from 'node:fs/promises';
import { join, normalize, sep } from 'node:path';
import { removeFolder } from '../../folders/remove-folder.js';
import type { BuildProject } from '../build-project.js';
import type { ChangeMark } from '../change-mark.js';
import { MAX_LOCK_BYTES } from '../packages/choose-manager.js';
import { isObject } from '../project/project-folder.js';
import { countFiles, removeChanged } from './changed-files.js';
import { foldersOf, movePart } from './move-part.js';

const NAME = 'node_modules';
const EXECUTABLE = 0o111;
const PERMISSIONS = 0o777;
/** Most packages of a workspace whose folders are kept. */
const MAX_PACKAGES = 1000;

/**
 * The folders `node_modules` of a project that npm fills: where it installs, and in the packages of a workspace. A build can put
 * links in the place of any folder above them, which are not followed.
 */
export class ModuleFolders {
  private constructor(
    /** The working copy, without links. */
    private readonly repo: string,
    /** Relative to it. */
    private readonly paths: readonly string[],
  ) {}

  /** @throws StepError when the lock file cannot be read */
  static async of({ files, config }: BuildProject): Promise<ModuleFolders> {
    const { root, lock } = config.manager;
    const repo = (await files.resolve('install', '')) ?? '';
    const text = lock?.endsWith('.json') === true ? await files.read('install', lock, MAX_LOCK_BYTES) : null;
    const dirs = ['', ...(text === null ? [] : workspacesIn(text))].map((dir) => join(root, dir));
    const paths: string[] = [];
    for (const dir of dirs) {
      // A folder that a link leads to is another one. A star would be a pattern.
      const isPlain = (await files.resolve('install', dir)) === join(repo, dir) && !dir.includes('*');
      if (isPlain) paths.push(join(dir, NAME));
    }
    return new ModuleFolders(repo, paths);
  }

  /** Whether there is nothing in their places. */
  async areFree(): Promise<boolean> {
    for (const path of this.paths) {
      if ((await lstat(join(this.repo, path)).catch(() => null)) !== null) return false;
    }
    return true;
  }

  /** How many files and links they have. @throws the reason of the signal */
  async count(signal: AbortSignal): Promise<number> {
    let files = 0;
    for (const folder of await this.folders()) files += await countFiles(folder, signal);
    return files;
  }

  /** Moves kept folders to their places. @returns whether there were some @throws the reason of the signal */
  async place(kept: string, signal: AbortSignal): Promise<boolean> {
    const isPlaced = await movePart(kept, this.repo, this.paths, signal);
    for (const folder of await this.folders()) await this.allowPrograms(join(folder, '.bin'));
    return isPlaced;
  }

  /** npm makes the programs of linked packages executable when it links them, and not again. They are in the source. */
  private async allowPrograms(folder: string): Promise<void> {
    for (const name of await readdir(folder).catch(() => [])) {
      const path = await realpath(join(folder, name)).catch(() => null);
      if (path === null || !path.startsWith(this.repo + sep) || path.includes(`${sep}${NAME}${sep}`))
        continue;
      const stats = await lstat(path);
      if (stats.isFile()) await chmod(path, (stats.mode | EXECUTABLE) & PERMISSIONS);
    }
  }

  /**
   * Moves the folders to one place, without what has changed.
   *
   * @returns how many files and links they have
   * @throws the reason of the signal
   */
  async collect(target: string, since: ChangeMark, signal: AbortSignal): Promise<number> {
    let files = 0;
    for (const folder of await this.folders()) files += await removeChanged(folder, since, signal);
    await removeFolder(target);
    await movePart(this.repo, target, this.paths, signal);
    return files;
  }

  private async folders(): Promise<string[]> {
    return (await foldersOf(this.repo, this.paths)).map((path) => join(this.repo, path));
  }
}

/** The folders of the packages of a workspace, as package-lock.json lists them. */
function workspacesIn(lock: string): string[] {
  const content = parse(lock);
  const packages = isObject(content) && isObject(content['packages']) ? content['packages'] : {};
  return Object.keys(packages)
    .filter((path) => path !== '' && !path.includes(NAME) && !/^\.\.?(?:\/|$)|\0/.test(path))
    .filter((path) => normalize(path) === path && !path.startsWith('/'))
    .slice(0, MAX_PACKAGES);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
