import type { GitPayloadSourceDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
import type { BuildOptions } from '../../build-options.js';
import { type BuildRun, StepError } from '../../build-run.js';
import type { UnfetchedFiles } from '../lfs-pointer.js';
import { readSourceTree } from '../source-tree.js';
import { type Git, LOCAL, reasonIn } from './git-command.js';
import { fetchLfsFiles } from './git-lfs.js';
import { gitEnvironment, type GitRemote, signInToHost, toGitRemote } from './git-remote.js';
import { type Checkout, fetchSubmodules } from './git-submodules.js';

/** Longest message that the API takes, in characters. */
const MAX_MESSAGE_LENGTH = 1000;
/** How far back the commit of a branch is looked for if the server does not serve single commits, at least. */
const DEPTHS = [1, 100, 0];

/** The commit that is built. */
export interface GitCommit {
  readonly sha: string;
  /** At most 1,000 characters. */
  readonly message: string;
}

/** What is in the working copy. */
export interface GitProject {
  readonly commit: GitCommit;
  readonly unfetched: UnfetchedFiles;
}

/**
 * Checks out one commit in the working copy, and reports it. `.git` stays, without credentials.
 *
 * @throws StepError when the repository cannot be read, does not have the commit, or has files that cannot be built
 */
export async function fetchGit(
  run: BuildRun,
  git: Git,
  source: GitPayloadSourceDto,
  options: BuildOptions,
): Promise<GitProject> {
  const remote = toGitRemote(source);
  run.log.line(`Fetching ${remote.url.href} at ${remote.commitSha}`);
  await fetchCommit(run, git, remote);
  if (remote.tag !== null) await fetchTag(run, git, remote, remote.tag);
  const { env, network } = LOCAL;
  await git.do('Checking out the commit', ['checkout', '--quiet', '--detach', remote.commitSha], {
    env,
    network,
  });
  const message = await git.do('Reading the commit', ['log', '-1', '--format=%B', 'HEAD'], LOCAL);
  const commit = { sha: remote.commitSha, message: shorten(message.trim()) };
  await run.report({ gitCommitSha: commit.sha, gitCommitMessage: commit.message });
  const checkouts: Checkout[] = [{ folder: '', url: remote.url }];
  if (options.gitSubmodules) checkouts.push(...(await fetchSubmodules(run, git, remote)));
  const pointers = await readSourceTree(run);
  return {
    commit,
    unfetched: await fetchLfsFiles(run, git, remote, checkouts, pointers, options.gitLfs),
  };
}

async function fetchCommit(run: BuildRun, git: Git, remote: GitRemote): Promise<void> {
  const { url, commitSha, ref, depth } = remote;
  const format = commitSha.length === 64 ? ['--object-format=sha256'] : [];
  const local = { env: LOCAL.env, network: 'fetch' } as const;
  await git.do('Creating the working copy', ['init', '--quiet', '--template=', ...format], local);
  // Builds and relative addresses of submodules refer to it.
  await git.do('Creating the working copy', ['remote', 'add', 'origin', url.href], local);
  const single = await fetch(git, remote, commitSha, depth);
  if (single.isOk) return;
  if (ref === commitSha || !/not our ref|unadvertised object|couldn't find remote ref/.test(single.output)) {
    throw new StepError('source', `Git could not fetch the commit: ${reasonIn(single.output)}.`);
  }
  run.log.line(`The git server does not serve single commits: fetching ${ref} instead`);
  for (const least of DEPTHS) {
    const { isOk, output } = await fetch(
      git,
      remote,
      ref,
      depth === 0 || least === 0 ? 0 : Math.max(depth, least),
    );
    if (!isOk) throw new StepError('source', `Git could not fetch ${ref}: ${reasonIn(output)}.`);
    const found = await git.try(['cat-file', '-e', `${commitSha}^{commit}`], LOCAL);
    if (found.isOk) return;
  }
  throw new StepError('source', `The commit ${commitSha} is no longer part of ${ref}.`);
}

/**
 * Fetches the tag itself, which `git describe` finds. It can have been moved since the build was created, which builds the
 * commit that it named then.
 */
async function fetchTag(run: BuildRun, git: Git, remote: GitRemote, tag: string): Promise<void> {
  const { isOk, output } = await fetch(git, remote, `+${tag}:${tag}`, remote.depth);
  const commit = isOk
    ? (await git.try(['rev-parse', '--verify', '--quiet', `${tag}^{commit}`], LOCAL)).output
    : '';
  if (commit.trim() === remote.commitSha) return;
  if (!isOk && !/couldn't find remote ref/.test(output)) {
    throw new StepError('source', `Git could not fetch ${tag}: ${reasonIn(output)}.`);
  }
  if (isOk) await git.do('Removing the tag', ['update-ref', '-d', tag], LOCAL);
  run.log.line(`The tag ${tag} does not name this commit any more, so the working copy does not have it`);
}

/** @param depth 0: the whole history, with all tags */
function fetch(git: Git, remote: GitRemote, what: string, depth: number): ReturnType<Git['try']> {
  return git.try(
    [
      'fetch',
      '--quiet',
      ...(depth === 0 ? ['--tags'] : [`--depth=${depth}`, '--no-tags']),
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
