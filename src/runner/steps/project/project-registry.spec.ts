import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProjectFolder } from './project-folder.js';
import { readNpmrc } from '../open-project.js';

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'slipway-registry-'));
  await mkdir(join(root, 'apps/shop'), { recursive: true });
});
afterEach(() => rm(root, { recursive: true, force: true }));

const read = async () => readNpmrc(await ProjectFolder.at(root), 'apps/shop');
const names = async (): Promise<boolean> => (await read()).namesRegistry;

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
