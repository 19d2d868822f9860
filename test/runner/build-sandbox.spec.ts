import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import yazl from 'yazl';
import { GitServer, hasGit } from '../support/git/git-server.js';
import { LocalServer } from '../support/git/local-server.js';
import { temporaryFolder } from '../support/processes/temporary-folders.js';
import { ToolRegistry } from '../support/runners/tool-registry.js';
import { hasSandbox } from '../support/runners/sandbox/jobs.js';
import { BuildBench, readZip } from '../support/runners/build-bench.js';

const dist = join(import.meta.dirname, '../../dist/src/runner');
const load = (path: string): Promise<unknown> => import(pathToFileURL(join(dist, path)).href);
type FindSandbox = typeof import('../../src/runner/sandbox/find-sandbox.js').findSandbox;
type ToolFolders = typeof import('../../src/runner/steps/tools/tool-folders.js').toolFolders;

async function zip(files: Readonly<Record<string, unknown>>): Promise<Buffer> {
  const file = new yazl.ZipFile();
  for (const [path, content] of Object.entries(files)) {
    file.addBuffer(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)), path);
  }
  file.end();
  return buffer(file.outputStream);
}

/** A project whose build is a shell script. */
function project(build: string, more: Readonly<Record<string, unknown>> = {}): Record<string, unknown> {
  return {
    'package.json': { name: 'shop', version: '1.0.0', private: true, scripts: { build: 'sh build.sh' } },
    'build.sh': build,
    ...more,
  };
}

const MAKE_DIST = 'mkdir -p dist && echo hello > dist/index.html';

(hasSandbox && hasGit ? describe : describe.skip)('a build in a sandbox', () => {
  let bench: BuildBench;
  let git: GitServer;
  let storeDir: string;
  beforeAll(async () => {
    storeDir = await temporaryFolder();
    const { findSandbox } = (await load('sandbox/find-sandbox.js')) as { findSandbox: FindSandbox };
    const { toolFolders } = (await load('steps/tools/tool-folders.js')) as { toolFolders: ToolFolders };
    const tools = toolFolders({
      nodeDir: null,
      androidHome: null,
      jdkDir: null,
      toolsDir: null,
      storeDir,
    });
    const sandbox = await findSandbox({
      trustRepositories: false,
      allow: [],
      npmRegistry: null,
      memoryMiB: 2048,
      processes: 512,
      diskMiB: 1024,
      readOnly: tools,
      apiUrl: 'http://127.0.0.1:3000',
    });
    bench = await BuildBench.create((folders) => sandbox.open(folders));
    git = await GitServer.start({ credentials: 'build:secret' });
  });
  afterAll(() => git.stop());

  it('fetches a commit with credentials, installs, builds and keeps a cache', async () => {
    git.create('acme/shop.git');
    const files = project(`${MAKE_DIST} && env > dist/env && id -u > dist/id && node --version > dist/node`);
    const commitSha = git.commit(
      'acme/shop.git',
      'main',
      'Add the shop',
      Object.fromEntries(
        Object.entries(files).map(([path, content]) => [
          path,
          typeof content === 'string' ? content : JSON.stringify(content),
        ]),
      ),
    );
    const authorization = `Basic ${Buffer.from('build:secret').toString('base64')}`;
    const credential = { authorization, submoduleRepositories: [], hasExactPaths: true };
    const url = `${git.origin}/acme/shop.git`;
    const {
      error,
      files: built,
      log,
    } = await bench.build({
      source: { type: 'git', url, ref: 'main', fullRef: null, commitSha, depth: 1, credential },
      isDefaultBranch: true,
    });
    expect([error, log]).toEqual([null, expect.stringContaining('The cache of the app has')]);
    const output = await readZip(built[0]!.path);
    expect(output['node']).toBe(`${process.version}\n`);
    expect(output['id']).not.toBe('0\n');
    expect(output['env']).not.toMatch(/secret|GIT_CONFIG|Authorization/);
    expect(output['env']).not.toContain(authorization);
  });

  it('runs with a Node.js that the runner has fetched, and cannot change it', async () => {
    const registry = await ToolRegistry.start();
    try {
      registry.publishNode('21.7.3', process.execPath);
      const write = 'touch "$(dirname "$(command -v node)")/x" 2> dist/refusal || true';
      const files = project(`${MAKE_DIST} && node --version > dist/node && ${write}`);
      const {
        error,
        files: built,
        log,
      } = await bench.build({
        source: await zip({ ...files, '.nvmrc': 'v21\n' }),
        options: { storeDir, toolRegistry: registry.url, nodeDownloads: true },
      });
      expect([error, log]).toEqual([null, expect.stringContaining('Using Node.js 21.7.3, as .nvmrc says\n')]);
      const output = await readZip(built[0]!.path);
      expect(output).toMatchObject({
        node: 'v21.7.3\n',
        refusal: expect.stringContaining('Read-only file system'),
      });
    } finally {
      await registry.stop();
    }
  });

  it('does not reach a registry that .npmrc names on the machine of the runner', async () => {
    let requests = 0;
    const registry = await LocalServer.start((_request, response) => {
      requests++;
      response.end('{}');
    });
    try {
      const source = await zip({
        ...project(MAKE_DIST),
        'package.json': {
          name: 'shop',
          scripts: { build: 'sh build.sh' },
          dependencies: { 'left-pad': '1.0.0' },
        },
        '.npmrc': `registry=${registry.origin}\nfetch-retries=0\nfetch-timeout=5000\n`,
      });
      const { error } = await bench.build({ source });
      expect(error).toMatchObject({ step: 'install' });
      expect(requests).toBe(0);
    } finally {
      await registry.stop();
    }
  });

  it('does not reach a submodule on the machine of the runner', async () => {
    const other = await GitServer.start();
    try {
      git.create('acme/parent.git');
      git.commit('acme/parent.git', 'main', 'Add', {
        'package.json': '{}',
        '.gitmodules': `[submodule "lib"]\n\tpath = lib\n\turl = ${other.origin}/acme/lib.git\n`,
      });
      git.git(
        'acme/parent.git',
        ['fast-import', '--quiet'],
        `commit refs/heads/main\ncommitter Ada <ada@example.com> 1700000000 +0000\ndata 4\nLink\nfrom refs/heads/main^0\nM 160000 ${'c'.repeat(40)} lib\n`,
      );
      const commitSha = git.git('acme/parent.git', ['rev-parse', 'refs/heads/main']);
      const authorization = `Basic ${Buffer.from('build:secret').toString('base64')}`;
      const credential = { authorization, submoduleRepositories: [], hasExactPaths: true };
      const { error } = await bench.build({
        source: {
          type: 'git',
          url: `${git.origin}/acme/parent.git`,
          ref: 'main',
          fullRef: null,
          commitSha,
          depth: 1,
          credential,
        },
        options: { gitSubmodules: true },
      });
      expect(error).toMatchObject({
        step: 'source',
        message: expect.stringMatching(/^Fetching the submodule lib failed/),
      });
      expect(other.requests).toEqual([]);
    } finally {
      await other.stop();
    }
  });

  it('says which limit of the sandbox ended the build', async () => {
    const eat = `node -e 'const all = []; for (;;) all.push(Buffer.alloc(50_000_000, 1))'`;
    const { error } = await bench.build({ source: await zip(project(eat)) });
    expect(error).toMatchObject({ step: 'build', message: expect.stringContaining('RUNNER_MEMORY') });
  });

  it('finds no output outside of the project', async () => {
    const { error } = await bench.build({ source: await zip(project('ln -s /etc dist')) });
    expect(error).toMatchObject({
      step: 'output',
      message: expect.stringContaining('leads out of the project'),
    });
  });
});
