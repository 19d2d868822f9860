import { explainClosed, unreachableHosts } from '../../output-end.js';
import { type BuildRun, StepError } from '../../build-run.js';
import { type LfsPointer, namePaths, type UnfetchedFiles } from '../lfs-pointer.js';
import { readPointer } from '../source-tree.js';
import { type Git, LOCAL, reasonIn } from './git-command.js';
import { gitEnvironment, type GitRemote, signInBelow } from './git-remote.js';
import { accessOf, type Checkout, isOwnRepository, isPlainWeb } from './git-submodules.js';

const MAX_FILES = 10_000;
/** Of all files together: 4 GiB, as an upload may unpack to. */
const MAX_BYTES = 4 * 1024 ** 3;
/** What servers and git-lfs say without the credential that a repository needs. */
const MISSING_PERMISSION = /could not read Username|credentials for .* not found|\b40[134]\b/i;

/** The filter that `git lfs install` makes for a user: without it, git-lfs checks nothing out. */
const FILTER = {
  'filter.lfs.clean': 'git-lfs clean -- %f',
  'filter.lfs.smudge': 'git-lfs smudge -- %f',
  'filter.lfs.process': 'git-lfs filter-process',
  'filter.lfs.required': 'true',
};

/** What wins over `.lfsconfig`, and when to give up. */
const SETTINGS = {
  'lfs.skipdownloaderrors': 'false',
  'lfs.dialtimeout': '10',
  'lfs.transfer.maxretries': '3',
};

/** Advice where the source has no pointers. */
const FROM_ELSEWHERE =
  'they come from another place than the repository, such as a package, which does not fetch them';

/**
 * Replaces pointers of Git LFS by the files that they stand for.
 *
 * @param checkouts the project and its submodules
 * @param pointers of all of them
 * @param isWanted what the operator says; `null`: if git-lfs is installed
 * @returns those that stay, which the log says
 * @throws StepError when a file cannot be fetched
 */
export async function fetchLfsFiles(
  run: BuildRun,
  git: Git,
  remote: GitRemote,
  checkouts: readonly Checkout[],
  pointers: readonly LfsPointer[],
  isWanted: boolean | null,
): Promise<UnfetchedFiles> {
  if (pointers.length === 0) return { pointers, advice: FROM_ELSEWHERE };
  const isInstalled = isWanted !== false && (await git.try(['lfs', 'version'], LOCAL)).isOk;
  if (!isInstalled) {
    if (isWanted === true) {
      throw new StepError('source', 'This runner cannot fetch files in Git LFS: git-lfs is not installed.');
    }
    const advice =
      isWanted === false
        ? 'set RUNNER_GIT_LFS=true for the runner'
        : 'install git-lfs on the machine of the runner';
    run.log.line(
      `Files in Git LFS are not fetched, so that only their pointers are there: ${namesOf(pointers)}. To fetch them, ${advice}`,
    );
    return { pointers, advice };
  }
  requireFew(pointers);
  let open = pointers;
  // Those in a submodule are below its folder, which may be below that of another one.
  for (const checkout of checkouts.toSorted((a, b) => b.folder.length - a.folder.length)) {
    const isOwn = ({ path }: LfsPointer): boolean =>
      checkout.folder === '' || path.startsWith(`${checkout.folder}/`);
    const own = open.filter(isOwn);
    open = open.filter((pointer) => !isOwn(pointer));
    if (own.length > 0) await pull(run, git, remote, checkout, own);
  }
  const left = await stillPointers(run, pointers);
  if (left.length > 0) run.log.line(`.lfsconfig leaves out files in Git LFS: ${namesOf(left)}`);
  return {
    pointers: left,
    advice:
      left.length === 0
        ? FROM_ELSEWHERE
        : 'lfs.fetchexclude or lfs.fetchinclude of .lfsconfig leaves them out',
  };
}

/** @throws StepError */
function requireFew(pointers: readonly LfsPointer[]): void {
  const sizes = new Map(pointers.map(({ oid, size }) => [oid, size]));
  const bytes = [...sizes.values()].reduce((sum, size) => sum + size, 0);
  if (pointers.length <= MAX_FILES && bytes <= MAX_BYTES) return;
  throw new StepError(
    'source',
    `The repository has ${pointers.length.toLocaleString('en')} files of ${bytes.toLocaleString('en')} bytes in Git LFS: at most ${MAX_FILES.toLocaleString('en')} of 4 GiB are fetched; leave out others with lfs.fetchexclude in .lfsconfig.`,
  );
}

async function pull(
  run: BuildRun,
  git: Git,
  remote: GitRemote,
  { folder, url }: Checkout,
  pointers: readonly LfsPointer[],
): Promise<void> {
  const declared = await declaredServer(git, folder);
  const server = declared ?? `${url.href.replace(/\/$/, '').replace(/(\.git)?$/, '.git')}/info/lfs`;
  const repository = declared === null ? url.href : declared.replace(/\/info\/lfs\/?$/, '');
  run.log.line(`Fetching files in Git LFS from ${server}: ${namesOf(pointers)}`);
  const { isOwnHost, signIn, unlisted } = accessOf(remote, repository);
  const isOwn = (declared === null && folder === '') || isOwnRepository(remote, repository);
  const mayUse = isOwn || Object.keys(signIn).length > 0;
  const { settings, env } = mayUse ? credentialOf(remote, server) : { settings: {}, env: {} };
  const { isOk, output } = await git.try(['lfs', 'pull'], {
    cwd: folder,
    env: {
      ...gitEnvironment(new URL(server), { ...FILTER, ...SETTINGS, 'lfs.url': server, ...settings }),
      GIT_LFS_SKIP_SMUDGE: '0',
      ...env,
    },
    // The server says where the files are, which may be anywhere: it opens nothing to a build but itself.
    network: 'build',
    ...(isOwnHost && { opens: remote.url }),
  });
  if (isOk) return;
  await explainClosed(run, unreachableHosts(output));
  const left = await stillPointers(run, pointers);
  const named = left.filter(({ oid }) => output.includes(oid));
  const files = namePaths((named.length === 0 ? left : named).map(({ path }) => path));
  const why = reasonIn(output.replaceAll(/^Failed to fetch some objects from .*$/gm, ''));
  const isUnlisted = !mayUse && unlisted !== null && MISSING_PERMISSION.test(output);
  // A failure summary looks for the beginning.
  throw new StepError(
    'source',
    `${isUnlisted ? `submoduleRepositories of the app's repository does not list "${unlisted}", so Git LFS` : 'Git LFS'} could not fetch ${files}: ${why.replace(/^\[[0-9a-f]{64}\] /, '')}${loopbackNote(server, output)}.`,
  );
}

/**
 * The server that `.lfsconfig` names in place of that of the repository.
 *
 * @throws StepError when it is neither https nor http
 */
async function declaredServer(git: Git, folder: string): Promise<string | null> {
  const entries = await git.config(folder, '.lfsconfig', '^(lfs\\.url|remote\\.origin\\.lfsurl)$');
  const last = (key: string): string | undefined => entries.findLast(([name]) => name === key)?.[1];
  const address = last('lfs.url') ?? last('remote.origin.lfsurl');
  if (address === undefined) return null;
  if (isPlainWeb(address)) return address.replace(/\/$/, '');
  throw new StepError(
    'source',
    `.lfsconfig has the address ${address.replaceAll(/\p{C}/gu, '').slice(0, 200)}: only https and http without a user name are allowed.`,
  );
}

/**
 * Signs in to the host of a server where that asks for it, and adds nothing to what the server itself says for a file. The
 * header that git sends would be there twice.
 */
function credentialOf(
  { credential }: GitRemote,
  server: string,
): { settings: Record<string, string>; env: Record<string, string> } {
  if (credential === null) return { settings: {}, env: {} };
  const { origin } = new URL(server);
  const [, encoded] = /^Basic ([A-Za-z0-9+/=]+)$/i.exec(credential.authorization) ?? [];
  const [, username, password] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(encoded ?? '', 'base64').toString()) ?? [];
  if (username === undefined || password === undefined) {
    return { settings: signInBelow(`${origin}/`, credential.authorization), env: {} };
  }
  return {
    settings: {
      [`credential.${origin}.helper`]: `!f() { test "$1" = get && printf 'username=%s\\npassword=%s\\n' "$LFS_USERNAME" "$LFS_PASSWORD"; }; f`,
      [`lfs.${server}.access`]: 'basic',
    },
    env: { LFS_USERNAME: username, LFS_PASSWORD: password },
  };
}

async function stillPointers(
  { folders }: BuildRun,
  pointers: readonly LfsPointer[],
): Promise<readonly LfsPointer[]> {
  const left = [];
  for (const pointer of pointers) {
    if ((await readPointer(folders.repo, pointer.path)) !== null) left.push(pointer);
  }
  return left;
}

function namesOf(pointers: readonly LfsPointer[]): string {
  return namePaths(pointers.map(({ path }) => path));
}

/** Sandboxes do not have that of the machine. */
function loopbackNote(server: string, output: string): string {
  const isLoopback = /^(localhost|127\..*|\[::1\])$/.test(new URL(server).hostname);
  return isLoopback && /connection refused/.test(output)
    ? ' (sandboxes do not reach the loopback of the machine: link the repository by another address)'
    : '';
}
