import { type BuildRun, StepError } from '../build-run.js';
import type { BuildOptions } from '../build-options.js';
import { fetchArchive } from './archive-source.js';
import { fetchGit, type GitCommit } from './git/git-source.js';

/**
 * Fills the working copy with the project.
 *
 * @returns the commit; `null`: the source is an archive
 * @throws StepError when the source cannot be had
 */
export async function fetchSource(run: BuildRun, options: BuildOptions): Promise<GitCommit | null> {
  const { source } = run.payload;
  if (source.type === 'git') return fetchGit(run, source, options);
  if (source.type === 'archive') {
    await fetchArchive(run, source);
    return null;
  }
  throw new StepError('source', 'This runner does not know this kind of source: update it.');
}
