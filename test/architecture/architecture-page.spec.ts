import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ownersOf } from './table-uses.js';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
const sources = new Map(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .map((path) => [`src/${path}`, readFileSync(join(root, 'src', path), 'utf8')]),
);

/** The rows of the table on the page whose first column has this name, with the names in its cells. */
function tableOf(header: string): string[][] {
  const lines = page.split('\n');
  const start = lines.findIndex((line) => new RegExp(`^\\| ${header} +\\|`).test(line));
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'));
  return lines.slice(start + 2, start + length).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

/** What a pattern finds in the sources: the folder, such as `apps/apps`, by the first group. */
function foldersOf(pattern: RegExp): [string, string][] {
  return [...sources].flatMap(([path, text]) =>
    [...text.matchAll(pattern)].map(([, name = '']): [string, string] => [
      name,
      dirname(path).replace('src/', ''),
    ]),
  );
}

/** The page counts nothing and leaves nothing out. */
describe('docs/architecture.md', () => {
  it('names every folder of every area', () => {
    const rows = new Map(tableOf('Folder').map(([names = '', content = '']) => [names, content]));
    const folders = readdirSync(join(root, 'src'), { withFileTypes: true }).filter((entry) =>
      entry.isDirectory(),
    );
    const missing = folders.flatMap(({ name }) => {
      const row = [...rows].find(([names]) => names.split(', ').includes(name));
      if (row === undefined) return [name];
      const [names, content] = row;
      if (names.includes(', ') || !sources.has(`src/${name}/${name}.module.ts`)) return [];
      const within = readdirSync(join(root, 'src', name), { withFileTypes: true });
      return within
        .filter((entry) => entry.isDirectory() && !new RegExp(`\\b${entry.name}\\b`).test(content))
        .map((entry) => `${name}/${entry.name}`);
    });
    expect(missing).toEqual([]);
  });

  it('lists every port', () => {
    const abstract = new Map(foldersOf(/^export abstract class (\w+)/gm));
    const ports = foldersOf(/\{ provide: (\w+), use(?:Class|Existing): /g)
      .filter(([port]) => abstract.has(port))
      .map(([port, provider]) => [port, abstract.get(port), provider]);
    expect(
      tableOf('Port')
        .map((row) => row.slice(0, 3))
        .sort(),
    ).toEqual(ports.sort());
  });

  it('lists every registry of listeners', () => {
    const registries = foldersOf(/^export class (\w+) \{[^}]*= new Listeners</gm);
    const listed = tableOf('Registry').map(([name, folder]) => [name, folder]);
    expect(listed.filter(([name]) => name !== 'JobKinds').sort()).toEqual(registries.sort());
  });

  it('lists every global module', () => {
    const modules = [
      ...foldersOf(/@Global\(\)\n@Module\([^]*?\nexport class (\w+)/g),
      ...foldersOf(/^export class (\w+) (?:implements \w+ )?\{[^]*?\n      global: true,/gm),
    ];
    expect(
      tableOf('Global module')
        .map(([name]) => name)
        .sort(),
    ).toEqual(modules.map(([name]) => name).sort());
  });

  it('shows every table', () => {
    const data = page.slice(page.indexOf('## Data'), page.indexOf('## Writes'));
    const missing = [...ownersOf(sources).keys()].filter((table) => !new RegExp(`\\b${table}\\b`).test(data));
    expect(missing).toEqual([]);
  });
});
