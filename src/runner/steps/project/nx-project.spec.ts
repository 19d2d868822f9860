import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { findNxTarget } from './nx-project.js';
import { ProjectFolder } from './project-folder.js';

let root: string;
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'slipway-nx-'))));
afterEach(() => rm(root, { recursive: true, force: true }));

async function find(files: Readonly<Record<string, unknown>>, baseDir = 'apps/shop') {
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), JSON.stringify(content));
  }
  return findNxTarget(await ProjectFolder.at(root), baseDir, '');
}

const project = (outputPath?: unknown): object => ({
  'nx.json': {},
  'apps/shop/project.json': { name: 'shop', targets: { build: { options: { outputPath } } } },
});

it.each<[unknown, readonly string[]]>([
  [undefined, []],
  ['dist/web', ['../../dist/web', '../../dist/web/browser']],
  ['{workspaceRoot}/dist/web', ['../../dist/web', '../../dist/web/browser']],
  [{ base: 'dist/web', browser: '' }, ['../../dist/web', '../../dist/web/browser']],
  [{ base: 'dist/web', browser: 'www' }, ['../../dist/web/www', '../../dist/web/www/browser']],
  [7, []],
])('reads outputPath %j', async (outputPath, expected) => {
  const usual = ['../../dist/apps/shop', '../../dist/apps/shop/browser'];
  expect(await find(project(outputPath) as Record<string, unknown>)).toEqual({
    name: 'shop',
    outputs: [...expected, ...usual],
  });
});

it.each<[string, Readonly<Record<string, unknown>>, string]>([
  ['without nx.json', { 'apps/shop/project.json': {} }, 'apps/shop'],
  ['without project.json and package.json', { 'nx.json': {} }, 'apps/shop'],
  ['that is the workspace', { 'nx.json': {}, 'package.json': { name: 'acme' } }, ''],
])('is none of a folder %s', async (_case, files, baseDir) => {
  expect(await find(files, baseDir)).toBeNull();
});
