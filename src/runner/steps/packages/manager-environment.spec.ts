import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProjectFolder } from '../project/project-folder.js';
import type { ToolName } from '../tools/tool-store.js';
import { readRegistrySettings } from './manager-environment.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-registry-'));
  await mkdir(join(root, 'apps/shop'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const read = async (name: ToolName = 'npm') =>
  readRegistrySettings(await ProjectFolder.at(root), 'apps/shop', { name, root: '' });
const names = async (): Promise<boolean> => (await read()).ownVariables.has('npm_config_registry');

it.each([
  ['.npmrc', 'registry=https://npm.example.com/', true],
  ['apps/.npmrc', 'save-exact=true\n registry = "https://npm.example.com/"\n', true],
  ['apps/shop/.npmrc', 'registry=${REGISTRY}', true],
  ['.npmrc', '@acme:registry=https://npm.example.com/', false],
  ['.npmrc', '# registry=https://npm.example.com/', false],
  ['.npmrc', 'registry=', false],
  ['apps/other.npmrc', 'registry=https://npm.example.com/', false],
])('of %s with %j', async (path, text, expected) => {
  await writeFile(join(root, path), text);
  expect(await names()).toBe(expected);
});

it.each<[ToolName, string, string, readonly string[]]>([
  ['npm', '.npmrc', 'registry=http://npm/', ['npm_config_registry', 'pnpm_config_registry']],
  ['pnpm', 'pnpm-workspace.yaml', 'registry: http://npm/', ['npm_config_registry', 'pnpm_config_registry']],
  [
    'pnpm',
    'pnpm-workspace.yaml',
    "packages: [a]\nregistries:\n  '@acme': http://a/\n  default: http://npm/\n",
    ['npm_config_registry', 'pnpm_config_registry'],
  ],
  ['pnpm', 'pnpm-workspace.yaml', "registries:\n  '@acme': http://a/\n", []],
  ['npm', 'pnpm-workspace.yaml', 'registry: http://npm/', []],
  ['yarn', '.yarnrc', 'registry "http://npm/"', ['npm_config_registry']],
  [
    'yarn',
    '.yarnrc.yml',
    'npmRegistryServer: "http://npm/"',
    ['YARN_NPM_REGISTRY_SERVER', 'YARN_UNSAFE_HTTP_WHITELIST'],
  ],
  ['yarn', '.yarnrc.yml', 'npmScopes:\n  acme:\n    npmRegistryServer: "http://npm/"', []],
  ['bun', 'bunfig.toml', '[install]\nregistry = "http://npm/"', ['npm_config_registry']],
])('of %s leaves out the variables that would win over %s with %j', async (name, file, text, expected) => {
  await writeFile(join(root, file), text);
  expect([...(await read(name)).ownVariables]).toEqual(expected);
});

it('knows whether the project has what Yarn downloads', async () => {
  expect((await read('yarn')).hasYarnCache).toBe(false);
  await mkdir(join(root, '.yarn/cache'), { recursive: true });
  expect((await read('yarn')).hasYarnCache).toBe(true);
});

it.each([
  ['.npmrc', 'fetch-retries=5', true],
  ['apps/shop/.npmrc', 'save-exact=true\nfetch-retry-maxtimeout = 60000', true],
  ['.npmrc', 'fetch-timeout=60000', false],
])('of %s with %j knows whether it says how to ask again', async (path, text, expected) => {
  await writeFile(join(root, path), text);
  expect((await read()).namesRetries).toBe(expected);
});

it('ends the build where one cannot be read', async () => {
  const outside = `${root}.npmrc`;
  await writeFile(outside, 'registry=https://npm.example.com/');
  await symlink(outside, join(root, '.npmrc'));
  await expect(read()).rejects.toThrow('The path ".npmrc" leads out of the project.');
  await rm(outside);
  await rm(join(root, '.npmrc'));
  await mkdir(join(root, 'apps/.npmrc'));
  await expect(read()).rejects.toThrow('apps/.npmrc is not an ordinary file.');
  await rm(join(root, 'apps/.npmrc'), { recursive: true });
  await writeFile(join(root, 'apps/shop/.npmrc'), '#'.repeat(1024 ** 2 + 1));
  await expect(read()).rejects.toThrow('apps/shop/.npmrc is larger than the 1048576 bytes that are allowed.');
});
