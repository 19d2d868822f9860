import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPayloadSourceDto } from '../../src/native-builds/runner-builds/build-payload.dto.js';
import { GitServer, hasGit } from '../support/git/git-server.js';
import { zipOf } from '../support/live-updates/archives.js';
import { type BenchResult, BuildBench } from '../support/runners/build-bench.js';
import type { PlainSandbox } from '../support/runners/plain-sandbox.js';

const CREDENTIALS = 'build:s3cret-token';
const AUTHORIZATION = `Basic ${Buffer.from(CREDENTIALS).toString('base64')}`;
const PROJECT = {
  'package.json': JSON.stringify({
    name: 'shop',
    private: true,
    scripts: { build: 'mkdir dist && > dist/index.html' },
  }),
  'capawesome.config.json': JSON.stringify({
    cloud: { apps: [{ appId: 'shop', dependencyInstallCommand: 'true' }] },
  }),
};

/** A submodule of a test, at the path that is its name. */
interface Submodule {
  readonly name?: string;
  /** Of `.gitmodules`; default: as the path. */
  readonly listedPath?: string;
  readonly path?: string;
  readonly url: string;
  readonly commit: string;
}

const describeGit = hasGit ? describe : describe.skip;

describeGit('submodules of a build', () => {
  let git: GitServer;
  let bench: BuildBench;
  let lib: string;
  beforeAll(async () => {
    git = await GitServer.start({
      credentials: CREDENTIALS,
      open: ['acme/open.git'],
      moved: { 'acme/moved.git': 'acme/lib.git' },
    });
    bench = await BuildBench.create();
    lib = repository('lib', { 'lib.txt': 'from the library' });
  });
  afterAll(() => git.stop());

  function repository(name: string, files: Readonly<Record<string, string>>): string {
    git.create(`acme/${name}.git`);
    return git.commit(`acme/${name}.git`, 'main', 'First', files);
  }

  /** A repository with submodules. @returns its commit */
  function withSubmodules(name: string, submodules: readonly Submodule[]): string {
    const path = `acme/${name}.git`;
    const sections = submodules.map(
      ({ name: own = 'lib', path: at = 'lib', listedPath = at, url }) =>
        `[submodule "${own}"]\n\tpath = ${listedPath}\n\turl = ${url}\n`,
    );
    repository(name, { ...PROJECT, '.gitmodules': sections.join('') });
    const links = submodules.map(({ path: at = 'lib', commit }) => `M 160000 ${commit} ${at}\n`);
    git.git(
      path,
      ['fast-import', '--quiet', '--force'],
      `commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 4\nLink\nfrom refs/heads/main^0\n${links.join('')}`,
    );
    return git.git(path, ['rev-parse', 'refs/heads/main']);
  }

  const urlOf = (path: string): string => `${git.origin}/acme/${path}`;

  /** Builds a repository whose list of submodules is this one. */
  function build(
    name: string,
    commitSha: string,
    submoduleRepositories: string[],
    more: Partial<GitPayloadSourceDto['credential']> = {},
  ): Promise<BenchResult> {
    const credential = { authorization: AUTHORIZATION, submoduleRepositories, hasExactPaths: false, ...more };
    return bench.build({
      source: {
        type: 'git',
        url: urlOf(`${name}.git`),
        ref: 'main',
        fullRef: null,
        commitSha,
        depth: 1,
        credential,
      },
      options: { gitSubmodules: true },
    });
  }

  /** The commands that fetched submodules, with what git was given. */
  function updatesOf({ sandbox }: BenchResult): { network: string; hasCredential: boolean }[] {
    return (sandbox as PlainSandbox).commands
      .filter(({ command }) => command.includes('update'))
      .map(({ network, env }) => ({ network, hasCredential: JSON.stringify(env).includes(AUTHORIZATION) }));
  }

  const libOf = ({ folders }: BenchResult, path = 'lib'): Promise<string> =>
    readFile(join(folders.repo, path, 'lib.txt'), 'utf8');

  it.each([
    ['an absolute address', () => urlOf('lib.git'), 'acme/lib'],
    ['a relative address', () => '../lib.git', 'acme/lib'],
    ['a slash at the end', () => `${urlOf('lib.git')}/`, 'acme/lib.git'],
    ['another case in the list', () => urlOf('lib.git'), 'ACME/Lib'],
  ])('are fetched with the credential if the app lists them: %s', async (what, url, listed) => {
    const name = `listed-${what.replaceAll(' ', '-')}`;
    const result = await build(name, withSubmodules(name, [{ url: url(), commit: lib }]), [
      'acme/else',
      listed,
    ]);
    expect(result.error).toBeNull();
    expect(await libOf(result)).toBe('from the library');
    expect(updatesOf(result)).toEqual([{ network: 'fetch', hasCredential: true }]);
  });

  it('get no credential if the app does not list them, and the message says what to list', async () => {
    const sha = withSubmodules('unlisted', [{ url: '../lib.git', commit: lib }]);
    for (const [list, hasExactPaths, path] of [
      [[], false, 'acme/lib'],
      [['acme/li', 'lib', 'acme/lib/x', 'acme'], false, 'acme/lib'],
      [['acme/lib', 'Acme/lib.git'], true, 'acme/lib.git'],
    ] as const) {
      const result = await build('unlisted', sha, [...list], { hasExactPaths });
      expect(result.error).toMatchObject({
        step: 'source',
        message: expect.stringMatching(
          new RegExp(
            `^submoduleRepositories of the app's repository does not list "${path}", so fetching the submodule lib without a credential failed: could not read Username for .+`,
          ),
        ),
      });
      expect(updatesOf(result)).toEqual([{ network: 'fetch', hasCredential: false }]);
    }
  });

  it('need no credential where the server asks for none', async () => {
    const open = repository('open', { 'lib.txt': 'for everyone' });
    const sha = withSubmodules('public', [{ url: '../open.git', commit: open }]);
    const result = await build('public', sha, []);
    expect(result.error).toBeNull();
    expect(await libOf(result)).toBe('for everyone');
    expect(updatesOf(result)).toEqual([{ network: 'fetch', hasCredential: false }]);
  });

  it('do not name the list when something else is wrong', async () => {
    const sha = withSubmodules('no-commit', [{ url: '../open-2.git', commit: 'c'.repeat(40) }]);
    repository('open-2', { 'lib.txt': '' });
    const other = await build('no-commit', sha, ['acme/open-2']);
    expect(other.error).toMatchObject({
      message: expect.stringMatching(/^Fetching the submodule lib failed: /),
    });
  });

  it('of submodules are compared with the same list', async () => {
    const nested = withSubmodules('nested', [{ url: '../lib.git', commit: lib }]);
    const sha = withSubmodules('nesting', [{ url: '../nested.git', commit: nested, path: 'libs/nested' }]);
    const refused = await build('nesting', sha, ['acme/nested']);
    expect(refused.error).toMatchObject({ message: expect.stringContaining('does not list "acme/lib"') });
    expect(updatesOf(refused).map(({ hasCredential }) => hasCredential)).toEqual([true, false]);
    const result = await build('nesting', sha, ['acme/nested', 'acme/lib']);
    expect(result.error).toBeNull();
    expect(await libOf(result, 'libs/nested/lib')).toBe('from the library');
  });

  it.each([
    ['..', () => urlOf('x/../lib.git')],
    ['an encoded ..', () => urlOf('x/%2e%2e/lib.git')],
    ['an encoded slash', () => `${git.origin}/acme%2Flib.git`],
    ['two slashes', () => `${git.origin}//acme/lib.git`],
    ['a query', () => `${urlOf('lib.git')}?x=`],
    ['a relative address with .. within', () => '../x/../lib.git'],
  ])('get no credential by an address with %s', async (what, url) => {
    const name = `odd-${what.replaceAll(/\W+/g, '-')}`;
    const sha = withSubmodules(name, [{ url: url(), commit: lib }]);
    const result = await build(name, sha, ['acme/lib', 'acme/x', 'acme']);
    expect(result.error).not.toBeNull();
    expect(updatesOf(result)).toEqual([{ network: 'fetch', hasCredential: false }]);
  });

  it('take no credential along to where a server redirects them', async () => {
    const sha = withSubmodules('redirected', [{ url: '../moved.git', commit: lib }]);
    const before = git.requests.length;
    const { error } = await build('redirected', sha, ['acme/moved']);
    expect(error).toMatchObject({ step: 'source' });
    const requests = git.requests.slice(before).filter((request) => !request.includes('/redirected.git/'));
    expect(requests.length).toBeGreaterThan(0);
    expect(requests.filter((request) => !request.includes('/moved.git/'))).toEqual([]);
  });

  it('do not lend each other their addresses', async () => {
    const listed = repository('listed', { 'lib.txt': '' });
    const hidden = { name: 'hidden', url: '../lib.git', commit: lib };
    // git would fetch what lies in the folder, or at the path, with the credential of the listed one.
    for (const [name, first] of [
      ['folder', 'libs'],
      ['spelled', './libs/hidden'],
    ] as const) {
      const sha = withSubmodules(name, [
        {
          name: 'a',
          url: '../listed.git',
          listedPath: `${first}\n\tpath = other`,
          path: 'other',
          commit: listed,
        },
        { ...hidden, path: 'libs/hidden' },
      ]);
      const result = await build(name, sha, ['acme/listed']);
      expect(result.error).toMatchObject({ message: expect.stringContaining('does not list "acme/lib"') });
      expect(existsSync(join(result.folders.repo, 'libs/hidden/lib.txt'))).toBe(false);
      expect(existsSync(join(result.folders.repo, 'other/lib.txt'))).toBe(true);
      expect(updatesOf(result).map(({ hasCredential }) => hasCredential)).toEqual([true, false]);
    }
  });

  /** Without fetching submodules, as by default. */
  function buildWithout(name: string, commitSha: string): Promise<BenchResult> {
    const credential = { authorization: AUTHORIZATION, submoduleRepositories: [], hasExactPaths: false };
    const url = urlOf(`${name}.git`);
    return bench.build({
      source: { type: 'git', url, ref: 'main', fullRef: null, commitSha, depth: 1, credential },
    });
  }

  /** Other files of a repository with submodules. @returns its commit */
  function change(name: string, files: Readonly<Record<string, string>>): string {
    const path = `acme/${name}.git`;
    const changes = Object.entries(files).map(
      ([file, text]) => `M 100644 inline ${file}\ndata ${Buffer.byteLength(text)}\n${text}\n`,
    );
    git.git(
      path,
      ['fast-import', '--quiet'],
      `commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 6\nChange\nfrom refs/heads/main^0\n${changes.join('')}`,
    );
    return git.git(path, ['rev-parse', 'refs/heads/main']);
  }

  it('that are not fetched end the build with the setting, whatever their addresses are', async () => {
    const sha = withSubmodules('left-out', [
      { url: 'file:///etc', commit: 'c'.repeat(40), path: 'libs/lib' },
    ]);
    const { error, log, folders } = await buildWithout('left-out', sha);
    expect(error).toMatchObject({
      step: 'source',
      message:
        'The submodule libs/lib of .gitmodules is not there: set RUNNER_GIT_SUBMODULES=true for the runner, or "update = none" in .gitmodules if no build needs it.',
    });
    expect(log).not.toContain('Building: ');
    expect(existsSync(join(folders.repo, 'libs/lib/.git'))).toBe(false);
  });

  it('that a command of the project fetches are there', async () => {
    withSubmodules('fetched-by-itself', [{ url: '../lib.git', commit: lib }]);
    const entry = { appId: 'shop', dependencyInstallCommand: 'echo filled > lib/lib.txt' };
    const sha = change('fetched-by-itself', {
      'capawesome.config.json': JSON.stringify({ cloud: { apps: [entry] } }),
    });
    expect((await buildWithout('fetched-by-itself', sha)).error).toBeNull();
  });

  it('that no build needs, and lines of .gitmodules without a submodule, are left out', async () => {
    const off = '[submodule "lib"]\n\tpath = lib\n\turl = ../lib.git\n\tupdate = none\n';
    withSubmodules('off', [{ url: '../lib.git', commit: lib }]);
    const sha = change('off', {
      '.gitmodules': `${off}[submodule "gone"]\n\tpath = gone\n\turl = ../gone.git\n`,
    });
    expect((await buildWithout('off', sha)).error).toBeNull();
    const fetched = await build('off', sha, ['acme/lib']);
    expect([fetched.error, existsSync(join(fetched.folders.repo, 'lib/lib.txt'))]).toEqual([null, false]);
  });

  it('end a build with the line of a .gitmodules that cannot be read', async () => {
    withSubmodules('broken', [{ url: '../lib.git', commit: lib }]);
    const sha = change('broken', { '.gitmodules': '[submodule "lib"]\n\tpath = lib\n[submodule\n' });
    for (const { error } of [await build('broken', sha, ['acme/lib']), await buildWithout('broken', sha)]) {
      expect(error).toMatchObject({
        step: 'source',
        message: '.gitmodules cannot be read: bad config line 3 in file .gitmodules.',
      });
    }
  });

  it('of an upload must be in it', async () => {
    const modules = ['lib', 'gone'].map((at) => `[submodule "${at}"]\n\tpath = ${at}\n\turl = ../${at}\n`);
    const upload = async (more: Readonly<Record<string, string>>): Promise<BenchResult> =>
      bench.build({ source: await zipOf({ ...PROJECT, '.gitmodules': modules.join(''), ...more }) });
    expect((await upload({ 'lib/lib.txt': '' })).error).toBeNull();
    expect((await upload({ 'lib/': '' })).error).toMatchObject({
      step: 'source',
      message:
        'The submodule lib of .gitmodules is not there: run "git submodule update --init --recursive" and upload again.',
    });
  });

  it('of other hosts get no credential, also with a path that is listed', async () => {
    const other = await GitServer.start({ credentials: CREDENTIALS });
    try {
      other.create('acme/lib.git');
      const commit = other.commit('acme/lib.git', 'main', 'Library', { 'lib.txt': 'other' });
      const sha = withSubmodules('foreign', [{ url: `${other.origin}/acme/lib.git`, commit }]);
      const result = await build('foreign', sha, ['acme/lib']);
      expect(result.error).toMatchObject({
        step: 'source',
        message: expect.stringMatching(/^Fetching the submodule lib failed: /),
      });
      expect(updatesOf(result)).toEqual([{ network: 'build', hasCredential: false }]);
    } finally {
      await other.stop();
    }
  });

  it.each([
    'file:///etc',
    'ext::sh -c "touch evil"',
    'ssh://git@example.com/lib.git',
    'git@example.com:lib.git',
    '/etc',
    '--upload-pack=evil',
    'http://git.example.com\\\\@10.0.0.5/lib.git',
    'http://ada@git.example.com/lib.git',
  ])('are refused with the address %s', async (url) => {
    const name = `refused-${url.replaceAll(/\W+/g, '')}`;
    const sha = withSubmodules(name, [{ url, commit: 'c'.repeat(40) }]);
    const { error, folders } = await build(name, sha, []);
    expect(error).toMatchObject({
      step: 'source',
      message: expect.stringMatching(/only https and http|failed/),
    });
    expect(existsSync(join(folders.repo, 'evil'))).toBe(false);
  });
});
