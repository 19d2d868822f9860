import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectFolder } from '../project/project-folder.js';

/** What others make, and `npm ci` brings. */
const SKIPPED = new Set(['node_modules', '.git', '.gradle', 'Pods', 'build', 'dist', 'www']);
const MAX_DEPTH = 12;
const MAX_FOLDERS = 20_000;
const MAX_FILES = 2000;

/**
 * The files of a project with such names. Follows no link.
 *
 * @param baseDir relative to the working copy; folders that tools fill are left out
 * @returns sorted paths relative to the working copy; `null`: the project is too large
 */
export async function findFiles(
  project: ProjectFolder,
  baseDir: string,
  names: RegExp,
): Promise<string[] | null> {
  const root = await project.resolve('install', baseDir);
  if (root === null) return [];
  const found: string[] = [];
  const pending = [{ path: '', depth: 0 }];
  let folders = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    if (++folders > MAX_FOLDERS) return null;
    for await (const entry of await opendir(join(root, next.path))) {
      const path = join(next.path, entry.name);
      if (entry.isDirectory() && !SKIPPED.has(entry.name) && next.depth < MAX_DEPTH) {
        pending.push({ path, depth: next.depth + 1 });
      } else if (entry.isFile() && names.test(entry.name)) {
        found.push(join(baseDir, path));
        if (found.length > MAX_FILES) return null;
      }
    }
  }
  return found.toSorted();
}
