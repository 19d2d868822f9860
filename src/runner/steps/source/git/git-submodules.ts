import { posix } from 'node:path';
import { explainClosed, unreachableHosts } from '../../output-end.js';
import { type BuildRun, StepError } from '../../build-run.js';
import { type Git, LOCAL, parseConfig, reasonIn } from './git-command.js';
import { gitEnvironment, type GitRemote, isWeb, signInBelow } from './git-remote.js';

const MAX_SUBMODULES = 100;
const MAX_DEPTH = 5;

/** What servers answer without the credential that a repository needs. */
const MISSING_PERMISSION =
  /could not read (?:Username|Password)|Authentication failed|returned error: 40[134]|^fatal: repository '.*' not found/m;

/** A repository that is checked out. */
export interface Checkout {
  /** Relative to the working copy; `''`: the project itself. */
  readonly folder: string;
  readonly url: URL;
}

interface Submodule {
  readonly name: string;
  readonly path: string;
  /** Absolute, as git uses it. */
  readonly address: string;
}

/**
 * Checks out the submodules, and theirs. Only repositories that the app lists get its credential. Those of other hosts are
 * reached as builds reach the network.
 *
 * @returns them
 * @throws StepError when one cannot be fetched, or has an address that is neither https nor http
 */
export async function fetchSubmodules(run: BuildRun, git: Git, remote: GitRemote): Promise<Checkout[]> {
  const checkouts: Checkout[] = [];
  const fetchBelow = async (folder: string, depth: number): Promise<void> => {
    for (const submodule of await findSubmodules(git, folder)) {
      if (depth > MAX_DEPTH || checkouts.length >= MAX_SUBMODULES) {
        throw new StepError(
          'source',
          `The repository has more than ${MAX_SUBMODULES} submodules, or they are nested more than ${MAX_DEPTH} deep.`,
        );
      }
      const below = posix.join(folder, submodule.path);
      checkouts.push({ folder: below, url: new URL(submodule.address) });
      await fetchSubmodule(run, git, remote, folder, submodule);
      await fetchBelow(below, depth + 1);
    }
  };
  await fetchBelow('', 1);
  return checkouts;
}

/**
 * The folders of the submodules that the project lists. Those that it turns off (`update = none`) are left out.
 *
 * @param isUpload there is no repository to say which of them it has
 * @returns relative to the working copy
 */
export async function findSubmoduleFolders(git: Git, isUpload: boolean): Promise<string[]> {
  const entries = await git.config('', '.gitmodules', '^submodule\\..*\\.(path|update)$');
  const off = new Set(
    readValues(entries, '.update')
      .filter(([, update]) => update === 'none')
      .map(([name]) => name),
  );
  const listed = readValues(entries, '.path')
    .filter(([name]) => !off.has(name))
    // As git writes it, for one that git does not find because it is spelled otherwise.
    .map(([, path]) => posix.normalize(path).replace(/\/$/, ''));
  const folders: string[] = [];
  for (const path of new Set(listed)) {
    if (isUpload || (await isCommit(git, '', path))) folders.push(path);
  }
  return folders;
}

async function fetchSubmodule(
  run: BuildRun,
  git: Git,
  remote: GitRemote,
  folder: string,
  { name, path, address }: Submodule,
): Promise<void> {
  const url = new URL(address);
  run.log.line(`Fetching the submodule ${name} from ${url.href}`);
  const { isOwnHost, signIn, unlisted } = accessOf(remote, address);
  const { isOk, output } = await git.try(['submodule', '--quiet', 'update', '--depth=1', '--', path], {
    cwd: folder,
    env: gitEnvironment(url, signIn),
    network: isOwnHost ? 'fetch' : 'build',
  });
  if (isOk) return;
  await explainClosed(run, unreachableHosts(output));
  // A failure summary looks for the beginning. What git says last is that cloning has failed.
  const message =
    unlisted !== null && MISSING_PERMISSION.test(output)
      ? `submoduleRepositories of the app's repository does not list "${unlisted}", so fetching the submodule ${name} without a credential failed`
      : `Fetching the submodule ${name} failed`;
  throw new StepError('source', `${message}: ${reasonIn(output.replaceAll(/^fatal: clone of .*$/gm, ''))}.`);
}

/** The submodules of a working copy, with absolute addresses. */
async function findSubmodules(git: Git, folder: string): Promise<Submodule[]> {
  const paths = await git.config(folder, '.gitmodules', '^submodule\\..*\\.path$');
  if (paths.length === 0) return [];
  // Makes relative addresses absolute.
  await git.do('Reading the submodules', ['submodule', '--quiet', 'init'], { ...LOCAL, cwd: folder });
  const own = await git.do('Reading the submodules', ['config', '--local', '--null', '--list'], {
    ...LOCAL,
    cwd: folder,
  });
  const urlOf = new Map(readValues(parseConfig(own), '.url'));
  const submodules: Submodule[] = [];
  for (const [name, path] of readValues(paths, '.path')) {
    const address = urlOf.get(name);
    // Without an address it is inactive: `git submodule` leaves it out.
    if (address === undefined || !(await isCommit(git, folder, path))) continue;
    submodules.push({ name: shown(name), path, address: requireWeb(name, address) });
  }
  return submodules;
}

/**
 * Whether a path is that of one submodule, spelled as git does. With another spelling, or the folder of a submodule, git
 * would fetch one with another address than that which was checked.
 */
async function isCommit(git: Git, folder: string, path: string): Promise<boolean> {
  const options = { ...LOCAL, cwd: folder };
  const { output } = await git.try(['ls-files', '--stage', '-z', '--', path], options);
  return (
    /^160000 [0-9a-f]+ 0\t/.test(output) &&
    output.endsWith(`\t${path}\0`) &&
    output.indexOf('\0') === output.length - 1
  );
}

/** The names of submodules with the values of `submodule.<name>.<key>`. */
function readValues(entries: readonly [string, string][], key: string): [name: string, value: string][] {
  return entries
    .filter(([name]) => name.startsWith('submodule.') && name.endsWith(key))
    .map(([name, value]) => [name.slice('submodule.'.length, -key.length), value]);
}

/** @throws StepError when git must not be called with the address */
function requireWeb(name: string, address: string): string {
  if (isPlainWeb(address)) return address;
  throw new StepError(
    'source',
    `The submodule ${shown(name)} has the address ${shown(address)}: only https and http without a user name are allowed.`,
  );
}

/** Whether an address is `https` or `http` without a user name, also as git reads it. */
export function isPlainWeb(address: string): boolean {
  const url = URL.canParse(address) ? new URL(address) : null;
  // git reads a backslash and a user name otherwise than URL does: the two must not see different hosts.
  return url !== null && isWeb(url) && url.username === '' && url.password === '' && !/[\\@\s]/.test(address);
}

function shown(text: string): string {
  return text.replaceAll(/\p{C}/gu, '').slice(0, 200);
}

/** Which repositories besides that of the app get its credential: submodules, and those of Git LFS. */
interface RepositoryAccess {
  /** Whether it is at the host of the repository, which may be one that builds cannot reach. */
  readonly isOwnHost: boolean;
  /** The settings of git that sign in; none: no credential. */
  readonly signIn: Record<string, string>;
  /** The path to list, so that it gets the credential of the repository; `null`: it does, or that would not help. */
  readonly unlisted: string | null;
}

/**
 * Compares the address of a repository with the list of the app. Only addresses in their plain form get a credential: of
 * others, such as those with `..` or `%2F`, the server could see another path than the list was compared with.
 *
 * @param address as git uses it: absolute, `https` or `http`, without a user name
 */
export function accessOf(
  { url: own, credential }: Pick<GitRemote, 'url' | 'credential'>,
  address: string,
): RepositoryAccess {
  const url = new URL(address);
  const isOwnHost = url.origin === own.origin;
  const none = { isOwnHost, signIn: {}, unlisted: null };
  if (!isOwnHost || credential === null) return none;
  const path = plainPathOf(address);
  if (path === null) return none;
  const { authorization, submoduleRepositories, hasExactPaths } = credential;
  const isListed = submoduleRepositories.some((listed) => isSamePath(listed, path, hasExactPaths));
  if (isListed) return { ...none, signIn: signInBelow(url.href, authorization) };
  return { ...none, unlisted: hasExactPaths ? path : withoutSuffix(path) };
}

/** Whether an address is that of the app's repository. */
export function isOwnRepository({ url, credential }: GitRemote, address: string): boolean {
  const [path, own] = [plainPathOf(address), plainPathOf(url.href)];
  if (new URL(address).origin !== url.origin || path === null || own === null) return false;
  return isSamePath(path, own, credential?.hasExactPaths ?? true);
}

function isSamePath(a: string, b: string, isExact: boolean): boolean {
  const key = (path: string): string => (isExact ? path : withoutSuffix(path).toLowerCase());
  return key(a) === key(b);
}

/** The path in an address, without slashes around it; `null`: the address has more than that, or is not plain. */
function plainPathOf(address: string): string | null {
  const [, text = ''] = /^https?:\/\/[^/?#]+\/([^?#]+)$/i.exec(address) ?? [];
  const path = decoded(text.replace(/\/$/, ''));
  if (path === null || /[\p{C}\\%?#]/u.test(path)) return null;
  // Otherwise a part was encoded that separates others, or means another folder.
  const parts = path.split('/');
  const isPlain = parts.length === text.replace(/\/$/, '').split('/').length;
  return isPlain && parts.every((part) => part !== '' && part !== '.' && part !== '..') ? path : null;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

function withoutSuffix(path: string): string {
  return path.replace(/\.git$/i, '');
}
