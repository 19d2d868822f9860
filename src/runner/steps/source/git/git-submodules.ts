import { type BuildRun, StepError } from '../../build-run.js';
import type { Git } from './git-command.js';
import { gitEnvironment, type GitRemote, isWeb } from './git-remote.js';

const MAX_SUBMODULES = 100;
const MAX_DEPTH = 5;

interface Submodule {
  readonly name: string;
  readonly path: string;
  readonly url: URL;
}

/**
 * Checks out the submodules, and theirs. The host of the repository gets its credentials; other hosts get none, and are
 * reached as builds reach the network.
 *
 * @throws StepError when one cannot be fetched, or has an address that is neither https nor http
 */
export async function fetchSubmodules(run: BuildRun, git: Git, remote: GitRemote): Promise<void> {
  let count = 0;
  const fetchBelow = async (folder: string, depth: number): Promise<void> => {
    for (const submodule of await findSubmodules(git, folder)) {
      count++;
      if (depth > MAX_DEPTH || count > MAX_SUBMODULES) {
        throw new StepError(
          'source',
          `The repository has more than ${MAX_SUBMODULES} submodules, or they are nested more than ${MAX_DEPTH} deep.`,
        );
      }
      run.log.line(`Fetching the submodule ${submodule.name} from ${submodule.url.href}`);
      const isOwnHost = submodule.url.origin === remote.url.origin;
      await git.do(
        `Fetching the submodule ${submodule.name}`,
        ['submodule', '--quiet', 'update', '--depth=1', '--', submodule.path],
        {
          cwd: folder,
          env: gitEnvironment(submodule.url, isOwnHost ? remote.authorization : null),
          network: isOwnHost ? 'fetch' : 'build',
        },
      );
      await fetchBelow(folder === '' ? submodule.path : `${folder}/${submodule.path}`, depth + 1);
    }
  };
  await fetchBelow('', 1);
}

/** The submodules of a working copy, with absolute addresses. */
async function findSubmodules(git: Git, folder: string): Promise<Submodule[]> {
  const options = { cwd: folder, env: gitEnvironment(null), network: 'build', isQuiet: true } as const;
  const paths = await git.try(
    ['config', '--file', '.gitmodules', '--null', '--get-regexp', '^submodule\\..*\\.path$'],
    options,
  );
  if (!paths.isOk || paths.output === '') return [];
  // Makes relative addresses absolute.
  await git.do('Reading the submodules', ['submodule', '--quiet', 'init'], options);
  const urls = await git.try(
    ['config', '--local', '--null', '--get-regexp', '^submodule\\..*\\.url$'],
    options,
  );
  const urlOf = new Map(readValues(urls.output, '.url'));
  return readValues(paths.output, '.path').flatMap(([name, path]) => {
    const address = urlOf.get(name);
    // Without an address it is inactive: `git submodule` leaves it out.
    return address === undefined ? [] : [{ name: shown(name), path, url: toUrl(name, address) }];
  });
}

/** Reads `submodule.<name>.<key>` from the output of `git config --null`. */
function readValues(output: string, key: string): [string, string][] {
  return output
    .split('\0')
    .map((item) => item.split('\n'))
    .filter(([name]) => name?.startsWith('submodule.') === true && name.endsWith(key))
    .map(([name = '', ...value]) => [name.slice('submodule.'.length, -key.length), value.join('\n')]);
}

function toUrl(name: string, address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null;
  // git reads a backslash and a user name otherwise than URL does: the two must not see different hosts.
  if (url === null || !isWeb(url) || url.username !== '' || url.password !== '' || /[\\@\s]/.test(address)) {
    throw new StepError(
      'source',
      `The submodule ${shown(name)} has the address ${shown(address)}: only https and http without a user name are allowed.`,
    );
  }
  return url;
}

function shown(text: string): string {
  return text.replaceAll(/\p{C}/gu, '').slice(0, 200);
}
