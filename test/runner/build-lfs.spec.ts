import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { GitPayloadSourceDto } from '../../src/native-builds/runner-builds/build-payload.dto.js';
import type { BuildCommand, CommandEnd } from '../../src/runner/sandbox/sandbox.js';
import { ownAddresses } from '../../src/runner/sandbox/network/routes.js';
import { GitServer, hasGit } from '../support/git/git-server.js';
import { LfsStore, pointerTo } from '../support/git/lfs-store.js';
import { LocalServer } from '../support/git/local-server.js';
import { type BenchBuild, type BenchResult, BuildBench, readZip } from '../support/runners/build-bench.js';
import { PlainSandbox } from '../support/runners/plain-sandbox.js';
import { hasSandbox, options as sandboxOptions } from '../support/runners/sandbox/jobs.js';
import { zipOf } from '../support/live-updates/archives.js';

const hasLfs = hasGit && spawnSync('git', ['lfs', 'version']).status === 0;
const BUILT = join(import.meta.dirname, '../../dist/src/runner/sandbox/bubblewrap/bubblewrap.js');
const CREDENTIALS = 'build:s3cret-token';
const AUTHORIZATION = `Basic ${Buffer.from(CREDENTIALS).toString('base64')}`;
const ATTRIBUTES = '*.bin filter=lfs diff=lfs merge=lfs -text\n';
const LOGO = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7919) % 256));
const LOGO_SUM = createHash('sha256').update(LOGO).digest('hex');
const HYMN = 'a text that is no pointer\n'.repeat(1000);
/** Publishes the folder `assets`, and says what the build itself read. */
const PUBLISH =
  'mkdir dist && cp -r assets dist/ && sha256sum assets/* > dist/sums && env > dist/env && (git status --porcelain || true) > dist/index.html';

function project(build: string, more: Readonly<Record<string, string>> = {}): Record<string, string> {
  return {
    'package.json': JSON.stringify({ name: 'shop', private: true, scripts: { build: 'sh build.sh' } }),
    'build.sh': build,
    'capawesome.config.json': JSON.stringify({
      cloud: { apps: [{ appId: 'shop', dependencyInstallCommand: 'true' }] },
    }),
    '.gitattributes': ATTRIBUTES,
    ...more,
  };
}

(hasLfs ? describe : describe.skip)('files in Git LFS', () => {
  let lfs: LfsStore;
  let git: GitServer;
  let bench: BuildBench;
  beforeEach(async () => {
    lfs = new LfsStore();
    git = await GitServer.start({ credentials: CREDENTIALS, lfs });
  });
  beforeAll(async () => {
    bench = await BuildBench.create();
  });
  afterEach(() => git.stop());

  function sourceOf(
    files: Readonly<Record<string, string>>,
    submoduleRepositories: string[] = [],
    server = git,
  ): GitPayloadSourceDto {
    server.create('acme/shop.git');
    const commitSha = server.commit('acme/shop.git', 'main', 'Add the shop', files);
    return {
      type: 'git',
      url: `${server.origin}/acme/shop.git`,
      ref: 'main',
      fullRef: 'refs/heads/main',
      commitSha,
      depth: 1,
      credential: { authorization: AUTHORIZATION, submoduleRepositories, hasExactPaths: false },
    };
  }

  const shop = (build = PUBLISH, more: Readonly<Record<string, string>> = {}): Record<string, string> =>
    project(build, {
      'assets/logo.bin': lfs.add(LOGO),
      'assets/Hymne für alle.bin': lfs.add(HYMN),
      'assets/again.bin': lfs.add(LOGO),
      ...more,
    });
  const build = (source: BenchBuild['source'], options: BenchBuild['options'] = {}): Promise<BenchResult> =>
    bench.build({ source, options });
  const authorizations = (): string[][] => lfs.requests.map(({ authorization }) => [...authorization]);

  it('are what was committed, and the credential is neither in the build nor in its files', async () => {
    const { error, files, log, folders, sandbox } = await build(sourceOf(shop()));
    expect(error).toBeNull();
    const output = await readZip(files[0]!.path);
    expect(output['sums']!.match(new RegExp(LOGO_SUM, 'g'))).toHaveLength(2);
    expect(output['assets/Hymne für alle.bin']).toBe(HYMN);
    // The working copy is clean, for git describe --dirty.
    expect(output['index.html']).toBe('?? dist/\n');
    expect(log).toContain('assets/Hymne für alle.bin, assets/again.bin, assets/logo.bin\n');
    // Each request that was allowed has the credential once.
    expect(authorizations().filter((values) => values.length > 0)).not.toEqual([]);
    for (const values of authorizations()) expect([[], [AUTHORIZATION]]).toContainEqual(values);
    const { commands } = sandbox as PlainSandbox;
    const holders = commands.filter(({ env }) => JSON.stringify(env).includes('s3cret-token'));
    expect(holders.map(({ command, network, opens }) => [command.at(-2), network, opens?.origin])).toEqual([
      ['lfs', 'build', git.origin],
    ]);
    for (const secret of ['s3cret-token', AUTHORIZATION.slice('Basic '.length)]) {
      expect(JSON.stringify([log, output, commands.map(({ command }) => command)])).not.toContain(secret);
      expect(() => execFileSync('grep', ['-rqF', secret, folders.root])).toThrow(
        expect.objectContaining({ status: 1 }),
      );
    }
  });

  it('come with the header that the server asks for, and not with another one', async () => {
    lfs.downloadHeader = { Authorization: 'Bearer of-this-file' };
    const { error } = await build(sourceOf(shop()));
    expect(error).toBeNull();
    const downloads = lfs.requests.filter(({ path }) => path.startsWith('/lfs-objects/'));
    expect(downloads.map(({ authorization }) => authorization)).toEqual([
      ['Bearer of-this-file'],
      ['Bearer of-this-file'],
    ]);
  });

  it('of submodules come from their own repositories', async () => {
    git.create('acme/lib.git');
    const lib = git.commit('acme/lib.git', 'main', 'Add', {
      '.gitattributes': ATTRIBUTES,
      'a.bin': lfs.add(LOGO),
    });
    const source = sourceOf(
      project('mkdir dist && sha256sum lib/a.bin > dist/index.html', {
        '.gitmodules': '[submodule "lib"]\n\tpath = lib\n\turl = ../lib.git\n',
      }),
      ['acme/lib'],
    );
    const commitSha = addSubmodule('lib', lib);
    const { error, files } = await build({ ...source, commitSha }, { gitSubmodules: true });
    expect(error).toBeNull();
    expect((await readZip(files[0]!.path))['index.html']).toContain(LOGO_SUM);
    expect(lfs.requests[0]!.path).toBe('/acme/lib.git/info/lfs/objects/batch');
  });

  function addSubmodule(path: string, commit: string): string {
    const stream = `commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 4\nLink\nfrom refs/heads/main^0\nM 160000 ${commit} ${path}\n`;
    git.git('acme/shop.git', ['fast-import', '--quiet'], stream);
    return git.git('acme/shop.git', ['rev-parse', 'refs/heads/main']);
  }

  it('that the server does not have end the build with their names', async () => {
    const files = shop(PUBLISH, { 'assets/lost.bin': pointerTo('ab'.repeat(32), 5) });
    // A repository cannot ask to go on without them.
    const { error } = await build(
      sourceOf({ ...files, '.lfsconfig': '[lfs]\n\tskipdownloaderrors = true\n' }),
    );
    expect(error).toMatchObject({
      step: 'source',
      message:
        'Git LFS could not fetch assets/lost.bin: Object does not exist on the server: [404] Object does not exist on the server.',
    });
  });

  it('are limited in number and size before one is fetched', async () => {
    const { error } = await build(
      sourceOf(shop(PUBLISH, { 'a.bin': pointerTo('ab'.repeat(32), 5 * 1024 ** 3) })),
    );
    expect(error).toMatchObject({
      step: 'source',
      message: expect.stringMatching(
        /^The repository has 4 files of 5,368,\d{3},\d{3} bytes in Git LFS: at most/,
      ),
    });
    expect(lfs.requests).toEqual([]);
  });

  describe('where they are not fetched', () => {
    const PUBLISHED =
      /^The build has made pointers of Git LFS in place of files, assets\/Hymne für alle.bin, assets\/again.bin, assets\/logo.bin: /;

    it('end a build that publishes their pointers, and name the setting', async () => {
      const { error, log } = await build(sourceOf(shop()), { gitLfs: false });
      expect(error).toMatchObject({
        step: 'output',
        message: expect.stringMatching(
          new RegExp(`${PUBLISHED.source}set RUNNER_GIT_LFS=true for the runner\\.$`),
        ),
      });
      expect(log).toContain(
        'Files in Git LFS are not fetched, so that only their pointers are there: assets/',
      );
    });

    it('end a build that writes a pointer into another file, as bundlers do', async () => {
      const inline = (how: string): string =>
        `mkdir dist && > dist/index.html && node -e '
          const text = require("fs").readFileSync("assets/logo.bin");
          require("fs").writeFileSync("dist/app.js", "x".repeat(65_000) + ${how} + "x".repeat(2000))'`;
      for (const how of [
        '"data:image/png;base64," + text.toString("base64")',
        '"data:image/svg+xml," + encodeURIComponent(text)',
        '"data:image/svg+xml," + String(text).trim().replaceAll(/\\s+/g, "%20")',
        'JSON.stringify(String(text))',
      ]) {
        await git.stop();
        git = await GitServer.start({ credentials: CREDENTIALS, lfs });
        const { error } = await build(sourceOf(shop(inline(how))), { gitLfs: false });
        expect(error).toMatchObject({
          step: 'output',
          message: expect.stringMatching(
            /in place of files, assets\/(again|logo).bin \(in app.js\): set RUNNER/,
          ),
        });
      }
    });

    it('do not end a build that publishes none of them', async () => {
      const { error, log } = await build(sourceOf(shop('mkdir dist && > dist/index.html')), {
        gitLfs: false,
      });
      expect(error).toBeNull();
      expect(log).toContain('To fetch them, set RUNNER_GIT_LFS=true for the runner\n');
    });

    it('end a build of a runner without git-lfs', async () => {
      const without = await BuildBench.create((folders) => Promise.resolve(new WithoutLfs(folders)));
      const source = sourceOf(shop());
      expect((await without.build({ source })).error).toMatchObject({
        message: expect.stringMatching(
          new RegExp(`${PUBLISHED.source}install git-lfs on the machine of the runner`),
        ),
      });
      expect((await without.build({ source, options: { gitLfs: true } })).error).toMatchObject({
        step: 'source',
        message: 'This runner cannot fetch files in Git LFS: git-lfs is not installed.',
      });
    });

    it('end a build whose .lfsconfig leaves them out', async () => {
      const { error, log } = await build(
        sourceOf(shop(PUBLISH, { '.lfsconfig': '[lfs]\n\tfetchexclude = "assets/logo.bin"\n' })),
      );
      expect(error).toMatchObject({
        message:
          'The build has made pointers of Git LFS in place of files, assets/logo.bin: lfs.fetchexclude or lfs.fetchinclude of .lfsconfig leaves them out.',
      });
      expect(log).toContain('.lfsconfig leaves out files in Git LFS: assets/logo.bin\n');
    });

    it('end a build of an upload that has pointers', async () => {
      const { error } = await build(await zipOf(shop()));
      expect(error).toMatchObject({
        message: expect.stringMatching(
          new RegExp(`${PUBLISHED.source}run "git lfs pull" in your checkout and upload again\\.$`),
        ),
      });
    });
  });

  describe('on another server', () => {
    let other: LocalServer;
    const headers: (string | undefined)[] = [];
    beforeEach(async () => {
      headers.length = 0;
      other = await LocalServer.start((request, response) => {
        headers.push(request.headers.authorization);
        if (!lfs.answers(request, response, other.origin, true)) response.writeHead(404).end();
      });
    });
    afterEach(() => other.stop());

    it('get no credential when the own server names it', async () => {
      lfs.downloadsAt = other.origin;
      const { error, files } = await build(sourceOf(shop()));
      expect(error).toBeNull();
      expect((await readZip(files[0]!.path))['sums']).toContain(LOGO_SUM);
      expect(headers).toEqual([undefined, undefined]);
    });

    it('get no credential, and are reached as builds reach hosts, when .lfsconfig names it', async () => {
      const lfsconfig = `[lfs]\n\turl = ${other.origin}/assets/info/lfs\n`;
      const { error, files, sandbox } = await build(sourceOf(shop(PUBLISH, { '.lfsconfig': lfsconfig })));
      expect(error).toBeNull();
      expect((await readZip(files[0]!.path))['sums']).toContain(LOGO_SUM);
      expect(headers).toEqual([undefined, undefined, undefined]);
      const pull = (sandbox as PlainSandbox).commands.find(({ command }) => command.at(-1) === 'pull')!;
      expect([pull.network, pull.opens]).toEqual(['build', undefined]);
    });

    it('or in another repository of the same get it only if the app lists that', async () => {
      const lfsconfig = `[lfs]\n\turl = ${git.origin}/acme/secret.git/info/lfs\n`;
      const source = sourceOf(shop(PUBLISH, { '.lfsconfig': lfsconfig }));
      const refused = await build(source);
      expect(refused.error).toMatchObject({
        step: 'source',
        message: expect.stringMatching(
          /^submoduleRepositories of the app's repository does not list "acme\/secret", so Git LFS could not fetch assets\//,
        ),
      });
      expect(authorizations().flat()).toEqual([]);
      const credential = { ...source.credential!, submoduleRepositories: ['acme/secret'] };
      expect((await build({ ...source, credential })).error).toBeNull();
    });

    it.each(['ssh://git@example.com/shop', 'file:///etc', 'https://ada:pw@example.com/shop', '--evil'])(
      'are refused with the address %s',
      async (url) => {
        const { error } = await build(sourceOf(shop(PUBLISH, { '.lfsconfig': `[lfs]\n\turl = "${url}"\n` })));
        expect(error).toMatchObject({
          step: 'source',
          message: `.lfsconfig has the address ${url}: only https and http without a user name are allowed.`,
        });
      },
    );

    it('end the build with the line of a .lfsconfig that cannot be read', async () => {
      const { error } = await build(sourceOf(shop(PUBLISH, { '.lfsconfig': '[lfs\n' })));
      expect(error).toMatchObject({
        step: 'source',
        message: '.lfsconfig cannot be read: bad config line 1 in file .lfsconfig.',
      });
    });
  });

  (hasSandbox ? describe : describe.skip)('in a sandbox', () => {
    const [host = ''] = ownAddresses();

    async function sandboxed(allow: readonly string[]): Promise<BuildBench> {
      type Bubblewrap = typeof import('../../src/runner/sandbox/bubblewrap/bubblewrap.js');
      const { BubblewrapSandbox } = (await import(pathToFileURL(BUILT).href)) as Bubblewrap;
      const sandbox = new BubblewrapSandbox({ ...sandboxOptions, allow });
      return BuildBench.create((folders) => sandbox.open(folders));
    }

    it('come from the server of the repository, which builds do not reach, and from others as builds reach them', async () => {
      const own = await GitServer.start({ credentials: CREDENTIALS, lfs, host });
      const other = await LocalServer.start((request, response) => {
        lfs.answers(request, response, '', true);
      }, host);
      try {
        const source = sourceOf(
          shop(`${PUBLISH} && (git ls-remote ${own.origin}/acme/shop.git 2>&1 || true) > dist/reached`),
          [],
          own,
        );
        const closed = await sandboxed([]);
        const built = await closed.build({ source });
        expect([built.error, built.log]).toEqual([null, expect.any(String)]);
        const output = await readZip(built.files[0]!.path);
        expect(output['sums']!.match(new RegExp(LOGO_SUM, 'g'))).toHaveLength(2);
        expect(output['assets/Hymne für alle.bin']).toBe(HYMN);
        expect(output['reached']).toMatch(/unable to access/);
        expect(output['env']).not.toMatch(/LFS_PASSWORD|s3cret/);

        lfs.downloadsAt = other.origin;
        const before = lfs.requests.length;
        const refused = await closed.build({ source });
        expect(refused.error).toMatchObject({
          step: 'source',
          message: expect.stringMatching(
            /^Git LFS could not fetch assets\/Hymne für alle.bin, assets\/again.bin, /,
          ),
        });
        expect(refused.log).toContain(`Builds do not reach ${host}. The operator of the runner opens it`);
        expect(lfs.requests.slice(before).every(({ path }) => path.endsWith('/batch'))).toBe(true);

        const open = await (await sandboxed([host])).build({ source });
        expect(open.error).toBeNull();
        expect((await readZip(open.files[0]!.path))['sums']).toContain(LOGO_SUM);
      } finally {
        await Promise.all([own.stop(), other.stop()]);
      }
    });
  });
});

/** A machine without git-lfs. */
class WithoutLfs extends PlainSandbox {
  override run(command: BuildCommand): Promise<CommandEnd> {
    if (command.command.includes('lfs')) return Promise.resolve({ exitCode: 1, limit: null });
    return super.run(command);
  }
}
