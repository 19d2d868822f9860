import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { lstat, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeFolder } from '../../folders/remove-folder.js';
import { type BuildRun, StepError } from '../build-run.js';
import { readConfigFile } from '../project/capacitor-config.js';
import type { ProjectConfig } from '../project/project-config.js';
import type { ProjectFolder } from '../project/project-folder.js';
import { Git, LOCAL, reasonIn } from '../source/git/git-command.js';
import { namePaths } from '../source/lfs-pointer.js';

/** Where web builds usually put their output. */
export const USUAL_OUTPUTS = ['dist', 'www', 'build'];

/**
 * Removes from the output folders of an upload what git ignores: that is what an earlier build on another machine has left.
 * A commit has no such files, and what it has is source.
 *
 * @throws StepError when a file of the project cannot be read
 */
export async function emptyOutputs(
  run: BuildRun,
  files: ProjectFolder,
  { baseDir, hasWebBuild }: ProjectConfig,
): Promise<void> {
  if (!hasWebBuild) return;
  const { webDir = null } = (await readConfigFile(files, baseDir, 'configuration')) ?? {};
  const folders: string[] = [];
  for (const folder of new Set([...(webDir === null ? [] : [webDir]), ...USUAL_OUTPUTS])) {
    const path = join(baseDir, folder);
    const found = await files.resolve('configuration', path);
    // What a link leads to has another name in .gitignore.
    if (found === null || files.relative(found) !== path || !(await lstat(found)).isDirectory()) continue;
    if (mayBeIgnored(run, path)) folders.push(path);
  }
  if (folders.length > 0) await removeIgnored(run, folders);
}

/** Whether a `.gitignore` can speak of the folder: most uploads have none of them, and a sandbox takes longer than a look. */
function mayBeIgnored({ folders }: BuildRun, path: string): boolean {
  const parts = path.split('/');
  return ['', ...parts].some((_, depth) =>
    existsSync(join(folders.repo, ...parts.slice(0, depth), '.gitignore')),
  );
}

/** Lets git remove what it ignores, in a repository that has no files: uploads usually have none, or only its last state. */
async function removeIgnored(run: BuildRun, folders: readonly string[]): Promise<void> {
  const name = `.ignored-${randomUUID()}`;
  const repository = `${run.sandbox.inner.home}/${name}`;
  const git = new Git(run);
  try {
    await git.do('Reading .gitignore', ['init', '--quiet', repository], LOCAL);
    const clean = ['clean', '-ffdX', '--', ...folders];
    const { isOk, output } = await git.try(
      ['--git-dir', `${repository}/.git`, '--work-tree', '.', ...clean],
      LOCAL,
    );
    if (!isOk) throw new StepError('source', `Reading .gitignore failed: ${reasonIn(output)}.`);
    const removed = [...output.matchAll(/^Removing (.+)$/gm)].map(([, path = '']) => path);
    if (removed.length === 0) return;
    run.log.line(`Removed what .gitignore leaves out of the source: ${namePaths(removed)}`);
  } finally {
    await removeFolder(join(run.folders.home, name));
  }
  // Commands that write to them expect the folders.
  for (const folder of folders) await mkdir(join(run.folders.repo, folder), { recursive: true });
}
