import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chooseManager } from '../packages/choose-manager.js';
import { completeConfig, type ProjectConfig, readProjectEntry } from './project-config.js';
import { ProjectFolder } from './project-folder.js';

const scripts = { build: 'vite build' };

let root: string;
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'slipway-config-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

async function read(files: Readonly<Record<string, unknown>>): Promise<ProjectConfig> {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(join(root, path, '..'), { recursive: true });
    await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return readConfig();
}

async function readConfig(): Promise<ProjectConfig> {
  const project = await ProjectFolder.at(root);
  const onNote = (): void => undefined;
  const entry = await readProjectEntry(project, 'shop', onNote);
  return completeConfig(project, entry, await chooseManager(project, entry, onNote));
}

function withEntry(entry: Record<string, unknown>): Record<string, unknown> {
  return {
    'package.json': { scripts },
    'capawesome.config.json': {
      cloud: {
        apps: [
          { appId: 'other', baseDir: 'no' },
          { appId: 'shop', ...entry },
        ],
      },
    },
  };
}

describe('readProjectConfig', () => {
  it('needs only a script', async () => {
    expect(await read({ 'package.json': { scripts } })).toMatchObject({
      baseDir: '',
      installCommand: 'npm install',
      installDir: '',
      hasPackage: true,
      hasDependencies: true,
      webBuildCommand: 'npm run build',
      webBuildDir: '',
      hasWebBuild: true,
    });
  });

  it('prefers the script of its own', async () => {
    const config = await read({ 'package.json': { scripts: { ...scripts, 'capawesome:build': 'x' } } });
    expect(config.webBuildCommand).toBe('npm run capawesome:build');
  });

  it('takes the entry of the app', async () => {
    const config = await read({
      ...withEntry({
        baseDir: './apps/../apps/shop/',
        dependencyInstallCommand: 'npm ci',
        webBuildCommand: 'make',
      }),
      'apps/shop/package.json': '{}',
    });
    expect(config).toMatchObject({
      baseDir: 'apps/shop',
      installCommand: 'npm ci',
      installDir: 'apps/shop',
      hasDependencies: true,
      webBuildCommand: 'make',
      webBuildDir: 'apps/shop',
      hasWebBuild: true,
    });
  });

  it.each<[string, Record<string, unknown>, boolean]>([
    ['true', { webBuildCommand: ' true ' }, false],
    ['echo "nothing to do"', { webBuildCommand: 'echo "nothing to do"' }, false],
    ['echo with a redirection', { webBuildCommand: 'echo hello > dist/index.html' }, true],
    ['echo before a command', { webBuildCommand: 'echo building; vite build' }, true],
    ['a script that is one', { webBuildCommand: 'npm run none' }, false],
    ['a script with another one before it', { webBuildCommand: 'npm run late' }, true],
    ['a script that is not there', { webBuildCommand: 'npm run missing -- --mode shop' }, true],
  ])('knows whether a command does something: %s', async (_case, entry, hasWebBuild) => {
    const all = { none: 'exit 0', late: 'true', prelate: 'vite build' };
    const config = await read({ ...withEntry(entry), 'package.json': { scripts: all } });
    expect(config.hasWebBuild).toBe(hasWebBuild);
  });

  it.each<[string, string, string, string]>([
    ['package-lock.json', '{}', 'npm install', 'npm run build'],
    ['pnpm-lock.yaml', "lockfileVersion: '9.0'", 'pnpm install --frozen-lockfile', 'pnpm run build'],
    ['yarn.lock', '', 'yarn install --non-interactive --frozen-lockfile', 'yarn run build'],
    ['yarn.lock', '__metadata:\n  version: 8\n', 'yarn install --immutable', 'yarn run build'],
    ['bun.lock', '{}', 'bun install --backend=copyfile --frozen-lockfile', 'bun run build'],
  ])('installs and builds by the package manager of %s %j', async (file, lock, install, build) => {
    const config = await read({ 'package.json': { scripts }, [file]: lock });
    expect([config.installCommand, config.webBuildCommand]).toEqual([install, build]);
  });

  it('installs in the root of a workspace, and builds in the app', async () => {
    const config = await read({
      ...withEntry({ baseDir: 'apps/shop' }),
      'package.json': { workspaces: ['apps/*'] },
      'apps/shop/package.json': { scripts },
      'package-lock.json': {},
    });
    expect(config).toMatchObject({
      installDir: '',
      webBuildDir: 'apps/shop',
      webBuildCommand: 'npm run build',
    });
  });

  it.each<[string, Record<string, unknown>, string]>([
    ['project.json', { 'apps/shop/project.json': { name: 'web-shop' } }, 'web-shop'],
    ['its folder', { 'apps/shop/project.json': {} }, 'shop'],
    ['package.json', { 'apps/shop/package.json': { name: '@acme/shop' } }, '@acme/shop'],
  ])('builds an app of Nx by the name of %s', async (_case, files, name) => {
    const config = await read({
      ...withEntry({ baseDir: 'apps/shop' }),
      'package.json': {},
      'nx.json': {},
      ...files,
    });
    expect(config).toMatchObject({
      installDir: '',
      hasDependencies: true,
      webBuildCommand: `npx --no -- nx build ${name}`,
      webBuildDir: '',
      hasWebBuild: true,
    });
  });

  it('takes the defaults if the app has no entry', async () => {
    const files = { 'package.json': { scripts }, 'capawesome.config.json': { cloud: { apps: [null, 'x'] } } };
    expect((await read(files)).installCommand).toBe('npm install');
  });

  it.each<[string, Record<string, unknown>, RegExp]>([
    ['no JSON', { 'capawesome.config.json': '{' }, /^capawesome.config.json is not a valid JSON object\.$/],
    ['a list', { 'capawesome.config.json': [] }, /not a valid JSON object/],
    ['apps that are no list', { 'capawesome.config.json': { cloud: { apps: {} } } }, /must be a list/],
    ['a huge file', { 'capawesome.config.json': ' '.repeat(2_000_000) }, /larger than/],
    ['a folder out of the project', withEntry({ baseDir: '..' }), /leads out of the project/],
    ['an absolute folder', withEntry({ baseDir: '/etc' }), /must be a folder relative/],
    ['a folder that is not there', withEntry({ baseDir: 'nowhere' }), /does not exist/],
    ['a folder that is a file', withEntry({ baseDir: 'package.json' }), /.+/],
    [
      'a command that is none',
      withEntry({ webBuildCommand: ['npm'] }),
      /"webBuildCommand" .* must be a command/,
    ],
    ['an empty command', withEntry({ dependencyInstallCommand: ' ' }), /must be a command/],
    [
      'no script',
      { 'package.json': { scripts: { test: 'x' } } },
      /neither the script "capawesome:build" nor "build"/,
    ],
    [
      'no package.json',
      {},
      /^There is no package\.json: set "baseDir" to the folder of the app, or "webBuild/,
    ],
    [
      'a folder without package.json',
      { ...withEntry({ baseDir: 'app' }), 'app/x': '' },
      /^There is no app\/package\.json, and no project\.json of Nx: set "webBuildCommand" in/,
    ],
    [
      'a project of Nx without a name',
      {
        ...withEntry({ baseDir: 'app' }),
        'nx.json': {},
        'app/project.json': { name: 'x; curl' },
      },
      /^"name" of app\/project\.json is not the name of a project of Nx\.$/,
    ],
  ])('refuses %s in one sentence', async (_case, files, message) => {
    const error: unknown = await read(files).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ step: 'configuration', message: expect.stringMatching(message) });
    expect((error as Error).message).toMatch(/^[^\n]*\.$/);
  });

  it('follows no link out of the project', async () => {
    await symlink('/etc', join(root, 'out'));
    await expect(read(withEntry({ baseDir: 'out' }))).rejects.toThrow('leads out of the project');
    await rm(join(root, 'capawesome.config.json'));
    await symlink('/etc/passwd', join(root, 'capawesome.config.json'));
    await expect(readConfig()).rejects.toThrow('leads out');
  });
});
