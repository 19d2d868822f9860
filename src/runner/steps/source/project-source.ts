import { readdir } from 'node:fs/promises';
import type { BuildOptions } from '../build-options.js';
import { type BuildRun, StepError } from '../build-run.js';
import type { ProjectFolder } from '../project/project-folder.js';
import { fetchArchive } from './archive-source.js';
import { Git } from './git/git-command.js';
import { fetchGit, type GitCommit } from './git/git-source.js';
import { findSubmoduleFolders } from './git/git-submodules.js';
import type { UnfetchedFiles } from './lfs-pointer.js';
import { readSourceTree } from './source-tree.js';

/** Where a project comes from, and what may be missing in it. */
export interface ProjectSource {
  /** `null`: it was uploaded. */
  readonly commit: GitCommit | null;
  /** Files in Git LFS. */
  readonly unfetched: UnfetchedFiles;
  /** The folders of the submodules that the project needs, relative to the working copy. */
  readonly submodules: readonly string[];
}

/**
 * Fills the working copy with the project.
 *
 * @throws StepError when the source cannot be had, or a symbolic link leads out of it
 */
export async function fetchSource(run: BuildRun, options: BuildOptions): Promise<ProjectSource> {
  const { source } = run.payload;
  const git = new Git(run);
  if (source.type === 'git') {
    const fetched = await fetchGit(run, git, source, options);
    return { ...fetched, submodules: await findSubmoduleFolders(git, false) };
  }
  if (source.type === 'archive') {
    await fetchArchive(run, source);
    const unfetched = {
      pointers: await readSourceTree(run),
      advice: 'run "git lfs pull" in your checkout and upload again',
    };
    return { commit: null, unfetched, submodules: await findSubmoduleFolders(git, true) };
  }
  throw new StepError('source', 'This runner does not know this kind of source: update it.');
}

/**
 * Requires that submodules are there when the project is built, however they came: a command that installs may fetch them.
 *
 * @throws StepError when the folder of one is empty
 */
export async function requireSubmodules(
  { commit, submodules }: ProjectSource,
  files: ProjectFolder,
): Promise<void> {
  for (const folder of submodules) {
    const found = await files.resolve('source', folder);
    // What is not in an upload at all can be a line of .gitmodules that was left behind.
    const isMissing = found === null ? commit !== null : await isEmptyFolder(found);
    if (!isMissing) continue;
    const advice =
      commit === null
        ? 'run "git submodule update --init --recursive" and upload again'
        : 'set RUNNER_GIT_SUBMODULES=true for the runner, or "update = none" in .gitmodules if no build needs it';
    throw new StepError('source', `The submodule ${folder} of .gitmodules is not there: ${advice}.`);
  }
}

async function isEmptyFolder(path: string): Promise<boolean> {
  const names = await readdir(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOTDIR') return null;
    throw error;
  });
  return names?.length === 0;
}
