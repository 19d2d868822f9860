import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { ProjectFolder } from '../../project/project-folder.js';
import { engineWarning, findWantedNode } from './wanted-node.js';

const BASE = 'apps/shop';
let root: string;
beforeEach(async () => (root = await mkdtemp(join(tmpdir(), 'slipway-node-'))));
afterEach(() => rm(root, { recursive: true }));

/** @param files texts, or objects of package.json */
async function project(files: Readonly<Record<string, string | object>>): Promise<ProjectFolder> {
  for (const [path, content] of Object.entries({ [`${BASE}/index.html`]: '', ...files })) {
    await mkdir(join(root, dirname(path)), { recursive: true });
    await writeFile(join(root, path), typeof content === 'string' ? content : JSON.stringify(content));
  }
  return ProjectFolder.at(root);
}

const volta = { volta: { node: '22.11.0', yarn: '1.22.22' } };
const runtime = (value: unknown) => ({ devEngines: { runtime: value } });

it.each<[Record<string, string | object>, string | null]>([
  [{}, null],
  [{ '.nvmrc': 'v20\n' }, '.nvmrc: v20'],
  [{ '.nvmrc': '# LTS\n\n lts/iron # until April\r\n' }, '.nvmrc: lts/iron'],
  [{ '.nvmrc': '\n', '.node-version': '22.1.0\n' }, '.node-version: 22.1.0'],
  [{ '.nvmrc': '20', '.node-version': '22', 'package.json': volta }, '.nvmrc: 20'],
  [
    { 'package.json': { ...volta, ...runtime({ name: 'node', version: '24' }) } },
    'volta in package.json: 22.11.0',
  ],
  [{ 'package.json': runtime({ name: 'node', version: '^22.4.0' }) }, 'devEngines in package.json: ^22.4.0'],
  [
    { 'package.json': runtime([{ name: 'bun' }, { name: 'node', version: '22', onFail: 'error' }]) },
    'devEngines in package.json: 22',
  ],
  [{ 'package.json': runtime({ name: 'node', version: '22', onFail: 'warn' }) }, null],
  [{ 'package.json': { volta: 'x', devEngines: [], engines: { node: '18' } } }, null],
  [{ '.nvmrc': '20', 'apps/.nvmrc': '22' }, 'apps/.nvmrc: 22'],
  [{ '.nvmrc': '20', 'apps/shop/package.json': volta }, 'volta in apps/shop/package.json: 22.11.0'],
  [{ '.nvmrc': '20', 'apps/other/.nvmrc': '22' }, '.nvmrc: 20'],
])('of %j is %s', async (files, expected) => {
  const found = await findWantedNode(await project(files), BASE);
  expect(found === null ? null : `${found.declaredBy}: ${found.text}`).toBe(expected);
});

it.each<[Record<string, string | object>, string | null]>([
  [
    { 'package.json': { engines: { node: '22.x' } } },
    'Warning: engines in package.json asks for Node.js 22.x,',
  ],
  [{ 'package.json': { engines: { node: '>=20' } } }, null],
  [
    {
      'package.json': { engines: { node: '>=20' } },
      [`${BASE}/package.json`]: { engines: { npm: '11', node: '^20' } },
    },
    `Warning: engines in ${BASE}/package.json asks for Node.js ^20,`,
  ],
  [{ 'package.json': { engines: { node: 'current' } } }, null],
])('warns of engines %j: %s', async (files, expected) => {
  const line = await engineWarning(await project(files), BASE, '24.2.0');
  expect(line === null ? null : line.slice(0, expected?.length)).toBe(expected);
});
