import type { GitPayloadSourceDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
import type { BuildOptions } from '../../build-options.js';
import { type BuildRun, StepError } from '../../build-run.js';
import { Git, reasonIn } from './git-command.js';
import { gitEnvironment, type GitRemote, signInToHost, toGitRemote } from './git-remote.js';
import { fetchSubmodules } from './git-submodules.js';

/** Longest message that the API takes, in characters. */
const MAX_MESSAGE_LENGTH = 1000;
/** How far back the commit of a branch is looked for if the server does not serve single commits. */
const DEPTHS = [1, 100, 2_147_483_647];

/** The commit that is built. */
export interface GitCommit {
  readonly sha: string;
  /** At most 1,000 characters. */
  readonly message: string;
}

/**
 * Checks out one commit in the working copy, and reports it. `.git` stays, without credentials.
 *
 * @throws StepError when the repository cannot be read, or does not have the commit
 */
export async function fetchGit(
  run: BuildRun,
  source: GitPayloadSourceDto,
  options: BuildOptions,
): Promise<GitCommit> {
  const remote = toGitRemote(source);
  const git = new Git(run);
  run.log.line(`Fetching ${remote.url.href} at ${remote.commitSha}`);
  await fetchCommit(run, git, remote);
  const local = { env: gitEnvironment(null), network: 'build' } as const;
  await git.do('Checking out the commit', ['checkout', '--quiet', '--detach', remote.commitSha], local);
  const message = await git.do('Reading the commit', ['log', '-1', '--format=%B', 'HEAD'], {
    ...local,
    isQuiet: true,
  });
  const commit = { sha: remote.commitSha, message: shorten(message.trim()) };
  await run.report({ gitCommitSha: commit.sha, gitCommitMessage: commit.message });
  if (options.gitSubmodules) await fetchSubmodules(run, git, remote);
  if (options.gitLfs) await fetchLfs(run, git, remote);
  return commit;
}

async function fetchCommit(run: BuildRun, git: Git, remote: GitRemote): Promise<void> {
  const { url, commitSha, ref } = remote;
  const format = commitSha.length === 64 ? ['--object-format=sha256'] : [];
  const local = { env: gitEnvironment(null), network: 'fetch' } as const;
  await git.do('Creating the working copy', ['init', '--quiet', '--template=', ...format], local);
  // Builds and relative addresses of submodules refer to it.
  await git.do('Creating the working copy', ['remote', 'add', 'origin', url.href], local);
  const single = await fetch(git, remote, commitSha, 1);
  if (single.isOk) return;
  if (ref === commitSha || !/not our ref|unadvertised object|couldn't find remote ref/.test(single.output)) {
    throw new StepError('source', `Git could not fetch the commit: ${reasonIn(single.output)}.`);
  }
  run.log.line(`The git server does not serve single commits: fetching ${ref} instead`);
  for (const depth of DEPTHS) {
    const { isOk, output } = await fetch(git, remote, ref, depth);
    if (!isOk) throw new StepError('source', `Git could not fetch ${ref}: ${reasonIn(output)}.`);
    const found = await git.try(['cat-file', '-e', `${commitSha}^{commit}`], { ...local, isQuiet: true });
    if (found.isOk) return;
  }
  throw new StepError('source', `The commit ${commitSha} is no longer part of ${ref}.`);
}

function fetch(git: Git, remote: GitRemote, what: string, depth: number): ReturnType<Git['try']> {
  return git.try(
    [
      'fetch',
      '--quiet',
      `--depth=${depth}`,
      '--no-tags',
      '--no-recurse-submodules',
      '--end-of-options',
      remote.url.href,
      what,
    ],
    { env: gitEnvironment(remote.url, signInToHost(remote)), network: 'fetch' },
  );
}

/** Cuts between characters, not within one. */
function shorten(text: string): string {
  return Array.from(text.replaceAll('\0', ''))
    .slice(0, MAX_MESSAGE_LENGTH)
    .join('')
    .slice(0, MAX_MESSAGE_LENGTH);
}

/**
 * Replaces the pointers of Git LFS by their files.
 *
 * @throws StepError when git-lfs is missing, or cannot fetch them
 */
async function fetchLfs(run: BuildRun, git: Git, remote: GitRemote): Promise<void> {
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
