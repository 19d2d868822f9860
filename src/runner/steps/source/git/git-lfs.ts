import { type BuildRun, StepError } from '../../build-run.js';
import type { Git } from './git-command.js';
import { gitEnvironment, type GitRemote, signInToHost } from './git-remote.js';

/**
 * Replaces the pointers of Git LFS by their files.
 *
 * @throws StepError when git-lfs is missing, or cannot fetch them
 */
export async function fetchLfs(run: BuildRun, git: Git, remote: GitRemote): Promise<void> {
  const local = { env: gitEnvironment(null), network: 'build', isQuiet: true } as const;
  const { isOk } = await git.try(['lfs', 'version'], local);
  if (!isOk)
    throw new StepError('source', 'This runner cannot fetch files in Git LFS: git-lfs is not installed.');
  run.log.line('Fetching files in Git LFS');
  // The address wins over one in `.lfsconfig`, which could be any machine near the runner.
  const address = `${remote.url.href.replace(/\/$/, '').replace(/(\.git)?$/, '.git')}/info/lfs`;
  const settings = { ...signInToHost(remote), 'lfs.url': address };
  const env = { ...gitEnvironment(remote.url, settings), GIT_LFS_SKIP_SMUDGE: '0' };
  await git.do('Fetching files in Git LFS', ['lfs', 'pull'], { env, network: 'fetch' });
}
