import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { GitPayloadSourceDto } from '../../src/native-builds/runner-builds/build-payload.dto.js';
import { GitServer, hasGit } from '../support/git/git-server.js';
import { zipOf } from '../support/live-updates/archives.js';
import { type BenchResult, BuildBench, readZip } from '../support/runners/build-bench.js';
import type { PlainSandbox } from '../support/runners/plain-sandbox.js';

const CREDENTIALS = 'build:s3cret-token';
const AUTHORIZATION = `Basic ${Buffer.from(CREDENTIALS).toString('base64')}`;
const CREDENTIAL = { authorization: AUTHORIZATION, submoduleRepositories: [], hasExactPaths: false };
const PROJECT = {
  'package.json': JSON.stringify({ name: 'shop', private: true, scripts: { build: 'sh build.sh' } }),
  'build.sh': 'mkdir dist && env > dist/env && git log -1 --format=%H > dist/index.html',
  'capawesome.config.json': JSON.stringify({
    cloud: { apps: [{ appId: 'shop', dependencyInstallCommand: 'true' }] },
  }),
};

const describeGit = hasGit ? describe : describe.skip;

describeGit('a build of a commit', () => {
  let git: GitServer;
  let bench: BuildBench;
  beforeAll(async () => {
    git = await GitServer.start({ credentials: CREDENTIALS });
    bench = await BuildBench.create();
  });
  afterAll(() => git.stop());

  function repository(name: string, files: Readonly<Record<string, string>> = PROJECT): string {
    git.create(`acme/${name}.git`);
    return git.commit(`acme/${name}.git`, 'main', 'Add the shop\n\nWith a cart.', files);
  }

  function source(
    name: string,
    commitSha: string,
    more: Partial<GitPayloadSourceDto> = {},
  ): GitPayloadSourceDto {
    const url = `${git.origin}/acme/${name}.git`;
    return {
      type: 'git',
      url,
      ref: 'main',
      fullRef: 'refs/heads/main',
      commitSha,
      depth: 1,
      credential: CREDENTIAL,
      ...more,
    };
  }

  /** Adds a commit to the one before. */
  function addEmptyCommit(path: string, message: string): void {
    const lines = [
      'commit refs/heads/main',
      'committer Ada <ada@example.com> 1700000000 +0000',
      `data ${message.length}`,
      message,
      'from refs/heads/main^0',
      '',
    ];
    git.git(path, ['fast-import', '--quiet'], lines.join('\n'));
  }

  it('builds this commit and reports it, also when the branch has gone on', async () => {
    const first = repository('commit');
    git.commit('acme/commit.git', 'main', 'Second', { 'build.sh': 'exit 1' });
    const result = await bench.build({ source: source('commit', first) });
    expect(result.error).toBeNull();
    expect((await readZip(result.files[0]!.path))['index.html']).toBe(`${first}\n`);
    expect(result.reports).toEqual([
      { gitCommitSha: first, gitCommitMessage: 'Add the shop\n\nWith a cart.' },
    ]);
  });

  it('keeps the credentials out of arguments, files, the log and the build', async () => {
    const { files, error, folders, log, sandbox } = await bench.build({
      source: source('secret', repository('secret')),
    });
    expect(error).toBeNull();
    const secrets = [AUTHORIZATION, AUTHORIZATION.slice('Basic '.length), 's3cret-token'];
    const { commands } = sandbox as PlainSandbox;
    const holders = commands.filter(({ env }) => JSON.stringify(env).includes(secrets[1]!));
    expect(holders.map(({ command, network }) => [command.includes('fetch'), network])).toEqual([
      [true, 'fetch'],
    ]);
    const seen = [
      log,
      JSON.stringify(commands.map(({ command }) => command)),
      JSON.stringify(await readZip(files[0]!.path)),
    ];
    for (const text of seen) for (const secret of secrets) expect(text).not.toContain(secret);
    for (const secret of secrets) {
      expect(() => execFileSync('grep', ['-rqF', secret, folders.root])).toThrow(
        expect.objectContaining({ status: 1 }),
      );
    }
    expect(existsSync(join(folders.repo, '.git/hooks'))).toBe(false);
    expect(await readFile(join(folders.repo, '.git/config'), 'utf8')).toContain(
      `${git.origin}/acme/secret.git`,
    );
  });

  it('fetches the branch where the server does not serve single commits', async () => {
    const path = 'acme/strict.git';
    const first = repository('strict');
    for (let number = 2; number <= 4; number++) addEmptyCommit(path, `Commit ${number}`);
    // With protocol 0, a server gives only what refs name.
    const strict = await GitServer.start({ speaksVersion2: false });
    try {
      strict.create(path);
      strict.git(path, ['fetch', '--quiet', git.folderOf(path), 'main:main']);
      const { error, log, files } = await bench.build({
        source: source('strict', first, { url: `${strict.origin}/${path}` }),
      });
      expect(error).toBeNull();
      expect(log).toContain('The git server does not serve single commits: fetching main instead');
      expect((await readZip(files[0]!.path))['index.html']).toBe(`${first}\n`);
      const gone = await bench.build({
        source: source('strict', 'a'.repeat(40), { url: `${strict.origin}/${path}` }),
      });
      expect(gone.error).toMatchObject({
        step: 'source',
        message: `The commit ${'a'.repeat(40)} is no longer part of main.`,
      });
    } finally {
      await strict.stop();
    }
  });

  it.each<[string, Partial<GitPayloadSourceDto>, RegExp]>([
    [
      'wrong credentials',
      { credential: { ...CREDENTIAL, authorization: 'Basic d3Jvbmc=' } },
      /^Git could not fetch the commit: .*(Authentication|Username)/,
    ],
    ['an unknown repository', { url: '/acme/nowhere.git' }, /^Git could not fetch the commit: .+\.$/],
    ['a file', { url: 'file:///etc' }, /must begin with https:\/\/ or http:\/\//],
    ['a program', { url: 'ext::sh -c touch% /tmp/evil' }, /must begin with https/],
    ['ssh', { url: 'ssh://git@example.com/shop.git' }, /must begin with https/],
    ['an option as the address', { url: '--upload-pack=touch /tmp/evil' }, /must begin with https/],
    ['an option as the commit', { commitSha: '--upload-pack=evil' }, /does not say which commit/],
  ])('fails with a sentence for %s', async (_case, more, message) => {
    const url =
      more.url?.startsWith('/') === true
        ? `${git.origin}${more.url}`
        : (more.url ?? `${git.origin}/acme/commit.git`);
    const { error } = await bench.build({ source: source('commit', 'b'.repeat(40), { ...more, url }) });
    expect(error).toMatchObject({ step: 'source', message: expect.stringMatching(message) });
  });

  it('runs no hook and no filter of a repository', async () => {
    const evil = '#!/bin/sh\necho evil > evil\n';
    const sha = repository('hooks', {
      ...PROJECT,
      '.gitattributes': '* filter=evil',
      '.gitconfig': '[filter "evil"]\nsmudge = echo evil > evil\n[core]\nhooksPath = hooks',
      'hooks/post-checkout': evil,
      '.githooks/post-checkout': evil,
    });
    const { error, folders } = await bench.build({ source: source('hooks', sha) });
    expect(error).toBeNull();
    expect(existsSync(join(folders.repo, 'evil'))).toBe(false);
  });

  describe('with its history', () => {
    const DESCRIBE = {
      ...PROJECT,
      'build.sh':
        'mkdir dist && > dist/index.html && git describe --always > dist/describe; git log --format=%s > dist/log',
    };
    const ADA = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];

    /** Five commits: v1 is the second one, v2 with a message the fourth one. @returns the last two */
    function tagged(name: string): { fourth: string; last: string } {
      const path = `acme/${name}.git`;
      repository(name, DESCRIBE);
      addEmptyCommit(path, 'Second');
      git.git(path, ['tag', 'v1', 'main']);
      addEmptyCommit(path, 'Third');
      addEmptyCommit(path, 'Fourth');
      const fourth = git.git(path, ['rev-parse', 'main']);
      git.git(path, [...ADA, 'tag', '-m', 'Version 2', 'v2', 'main']);
      addEmptyCommit(path, 'Fifth');
      return { fourth, last: git.git(path, ['rev-parse', 'main']) };
    }

    async function described(sourceOf: GitPayloadSourceDto): Promise<readonly [string, string[], string]> {
      const { error, files, log } = await bench.build({ source: sourceOf });
      expect(error).toBeNull();
      const output = await readZip(files[0]!.path);
      return [output['describe']!.trim(), output['log']!.trim().split('\n'), log];
    }

    it('has as many commits as the link says, all of them with all tags', async () => {
      const { last } = tagged('history');
      const of = async (depth: number): Promise<readonly [string, number]> => {
        const [name, log] = await described(source('history', last, { depth }));
        return [name, log.length];
      };
      expect(await of(1)).toEqual([last.slice(0, 7), 1]);
      expect(await of(3)).toEqual([last.slice(0, 7), 3]);
      expect(await of(0)).toEqual([`v2-1-g${last.slice(0, 7)}`, 5]);
    });

    it('has the tag that it is a build of', async () => {
      const { fourth } = tagged('tag');
      const tag = source('tag', fourth, { ref: 'v2', fullRef: 'refs/tags/v2' });
      const [name, log] = await described(tag);
      expect([name, log]).toEqual(['v2', ['Fourth']]);
      git.git('acme/tag.git', ['tag', '--force', 'v2', 'main']);
      const [moved, , text] = await described(tag);
      expect(moved).toBe(fourth.slice(0, 7));
      expect(text).toContain(
        'The tag refs/tags/v2 does not name this commit any more, so the working copy does not have it\n',
      );
      git.git('acme/tag.git', ['tag', '--delete', 'v2']);
      expect((await described(tag))[0]).toBe(fourth.slice(0, 7));
    });

    it('has them where the server does not serve single commits', async () => {
      const path = 'acme/old-history.git';
      const { fourth, last } = tagged('old-history');
      const strict = await GitServer.start({ speaksVersion2: false });
      try {
        strict.create(path);
        strict.git(path, ['fetch', '--quiet', '--tags', git.folderOf(path), 'main:main']);
        const url = `${strict.origin}/${path}`;
        expect((await described(source('', last, { url, depth: 0 }))).slice(0, 2)).toEqual([
          `v2-1-g${last.slice(0, 7)}`,
          ['Fifth', 'Fourth', 'Third', 'Second', 'Add the shop'],
        ]);
        const tag = { url, ref: 'v2', fullRef: 'refs/tags/v2' };
        expect((await described(source('', fourth, tag)))[0]).toBe('v2');
      } finally {
        await strict.stop();
      }
    });
  });

  describe('and an upload of the same folder', () => {
    const BUILD = {
      ...PROJECT,
      'build.sh':
        'mkdir dist && cp -rL public/. dist && > dist/index.html && cat settings.json > dist/settings',
      'shared/logo.txt': 'a logo',
      'config/app.json': '{"app":1}',
    };
    const both = async (
      name: string,
      links: Readonly<Record<string, string>>,
      files: Readonly<Record<string, string>> = BUILD,
    ): Promise<[BenchResult, BenchResult]> => {
      git.create(`acme/${name}.git`);
      const sha = git.commit(`acme/${name}.git`, 'main', 'Add', files, links);
      return [
        await bench.build({ source: source(name, sha) }),
        await bench.build({ source: await zipOf(files, links) }),
      ];
    };

    it('build the same from links inside, also through others and to what the build makes', async () => {
      const [checkout, upload] = await both('links', {
        'settings.json': 'public/../config/app.json',
        'public/logos': '../shared',
        'public/logo.txt': 'logos/logo.txt',
        'shared/again.txt': '../public/logos/logo.txt',
        'later.html': 'dist/index.html',
      });
      expect([checkout.error, upload.error]).toEqual([null, null]);
      const output = await readZip(checkout.files[0]!.path);
      expect(output).toEqual({
        'index.html': '',
        settings: '{"app":1}',
        'logo.txt': 'a logo',
        'logos/logo.txt': 'a logo',
        'logos/again.txt': 'a logo',
      });
      expect(await readFile(upload.files[0]!.path)).toEqual(await readFile(checkout.files[0]!.path));
    });

    it.each<[string, Record<string, string>, string, string]>([
      ['beside the project', { 'public/x': '../../shared' }, 'public/x', '../../shared'],
      ['of the machine', { 'public/x': '/usr/share/doc' }, 'public/x', '/usr/share/doc'],
      ['through another one', { a: 'public/..', b: 'a/../etc' }, 'b', 'a/../etc'],
    ])('refuse a link to what is %s, in the same words', async (what, links, path, target) => {
      const [checkout, upload] = await both(`out-${what.replaceAll(' ', '-')}`, links, {
        ...BUILD,
        'public/a.txt': '',
      });
      const problem = `"${path}" is a symbolic link out of the project, to "${target}": copy it into the project.`;
      expect(checkout.error).toMatchObject({ step: 'source', message: problem });
      expect(upload.error).toMatchObject({
        step: 'source',
        message: `The zip of the source cannot be used: ${problem}`,
      });
    });
  });
});
