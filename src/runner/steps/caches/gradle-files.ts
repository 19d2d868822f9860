import { opendir } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProjectFolder } from '../project/project-folder.js';

const GRADLE_FILE =
  /\.gradle(?:\.kts)?$|^(?:libs\.versions\.toml|gradle\.lockfile|gradle-wrapper\.properties)$/;
/** What others make, and `npm ci` brings. */
const SKIPPED = new Set(['node_modules', '.git', '.gradle', 'build', 'dist', 'www']);
const MAX_DEPTH = 12;
const MAX_FOLDERS = 20_000;
const MAX_FILES = 2000;

/**
 * The files of a project that say what Gradle downloads. Follows no link.
 *
 * @param baseDir relative to the working copy
 * @returns sorted paths relative to the working copy; `null`: the project is too large
 */
export async function gradleFiles(project: ProjectFolder, baseDir: string): Promise<string[] | null> {
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
      } else if (entry.isFile() && GRADLE_FILE.test(entry.name)) {
        found.push(join(baseDir, path));
        if (found.length > MAX_FILES) return null;
      }
    }
  }
  return found.toSorted();
}
