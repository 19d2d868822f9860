import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ProjectConfig, readProjectConfig } from './project-config.js';
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
  return readProjectConfig(await ProjectFolder.at(root), 'shop');
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
    expect(await read({ 'package.json': { scripts } })).toEqual({
      baseDir: '',
      installCommand: 'npm install',
      hasDependencies: true,
      webBuildCommand: 'npm run build',
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
    expect(config).toEqual({
      baseDir: 'apps/shop',
      installCommand: 'npm ci',
      hasDependencies: true,
      webBuildCommand: 'make',
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
    ['no package.json', {}, /There is no package.json/],
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
    await expect(readProjectConfig(await ProjectFolder.at(root), 'shop')).rejects.toThrow('leads out');
  });
});
