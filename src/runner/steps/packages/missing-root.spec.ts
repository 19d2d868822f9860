import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ProjectFolder } from '../project/project-folder.js';
import { chooseManager } from './choose-manager.js';
import { findMissingRoot } from './missing-root.js';

let root: string;
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'slipway-root-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

async function missing(files: Readonly<Record<string, unknown>>, baseDir = '', isUpload = true) {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  const project = await ProjectFolder.at(root);
  const entry = { baseDir, installCommand: 'npm ci', webBuildCommand: null };
  const manager = await chooseManager(project, entry, () => undefined);
  return findMissingRoot(project, baseDir, manager, isUpload);
}

const core = { dependencies: { react: '19.0.0', '@acme/core': 'workspace:*' } };

it('says from where to upload', async () => {
  expect(await missing({ 'package.json': core })).toBe(
    'package.json needs "@acme/core": "workspace:*", and the upload does not have the root of the workspace: call apps:builds:create in the root of the repository with "--path .", and name the folder of the app as "baseDir" in capawesome.config.json there.',
  );
});

it('says what a commit lacks', async () => {
  const files = { 'apps/shop/package.json': core, 'package.json': { workspaces: ['packages/*'] } };
  expect(await missing(files, 'apps/shop', false)).toBe(
    'apps/shop/package.json needs "@acme/core": "workspace:*", and no folder above has a workspace with apps/shop: add it to "workspaces" of package.json or to "packages" of pnpm-workspace.yaml.',
  );
});

it.each<[string, Readonly<Record<string, unknown>>, string, boolean]>([
  ['ordinary packages', { 'package.json': { dependencies: { react: '19.0.0' } } }, '', false],
  ['a workspace of its own', { 'package.json': { ...core, workspaces: ['packages/*'] } }, '', false],
  ['one of pnpm', { 'package.json': core, 'pnpm-workspace.yaml': 'packages: [a]' }, '', false],
  [
    'a workspace above',
    { 'apps/shop/package.json': core, 'package.json': { workspaces: ['apps/*'] } },
    'apps/shop',
    false,
  ],
  ['a catalog', { 'package.json': { devDependencies: { vite: 'catalog:' } } }, '', true],
  [
    'a catalog of Yarn',
    { 'package.json': { devDependencies: { vite: 'catalog:' } }, '.yarnrc.yml': '' },
    '',
    false,
  ],
  ['a folder out of the source', { 'package.json': { dependencies: { core: 'file:../core' } } }, '', true],
  [
    'a folder of the source',
    { 'apps/shop/package.json': { dependencies: { core: 'link:../../core' } } },
    'apps/shop',
    false,
  ],
  ['no package.json', {}, '', false],
])('finds what is missing with %s', async (_case, files, baseDir, isMissing) => {
  expect((await missing(files, baseDir)) !== null).toBe(isMissing);
});
