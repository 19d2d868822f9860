import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { remedyKinds } from '../../src/devices/decisions/remedy.dto.js';

const root = join(import.meta.dirname, '../..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');

const inDocs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
const documents = [...readdirSync(root), ...inDocs.map((path) => `docs/${path}`)].filter((path) =>
  path.endsWith('.md'),
);

const withoutCode = (markdown: string): string => markdown.replace(/```.*?```/gs, '');

/** The anchors of a page's headings, as code hosts make them. */
function anchorsOf(path: string): string[] {
  return [...withoutCode(read(path)).matchAll(/^#+ (.+)$/gm)].map(([, title = '']) =>
    title
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

function brokenLinksOf(path: string): string[] {
  const links = [...withoutCode(read(path)).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = '']) => link);
  return links
    .filter((link) => !/^[a-z]+:/.test(link))
    .filter((link) => {
      const [file = '', anchor] = link.split('#', 2);
      const target = file === '' ? path : join(dirname(path), file);
      if (!existsSync(join(root, target))) return true;
      return anchor !== undefined && !anchorsOf(target).includes(anchor);
    });
}

it.each(documents)('%s: every link leads somewhere', (path) => {
  expect(brokenLinksOf(path)).toEqual([]);
});

/** The pages that a page links to, as paths in the repository. */
function pagesLinkedFrom(path: string): string[] {
  return [...withoutCode(read(path)).matchAll(/\]\(([^)\s#:]+\.md)(?:#[^)]*)?\)/g)].map(([, link = '']) =>
    join(dirname(path), link),
  );
}

it('lists every page of docs in its index, except the decisions, which have their own', () => {
  const listed = new Set(pagesLinkedFrom('docs/README.md'));
  const pages = documents.filter((path) => /^docs\/(?!README|adr\/\d)/.test(path));
  expect(pages.filter((page) => !listed.has(page))).toEqual([]);
});

it('reaches every page from the README', () => {
  const reached = new Set(['README.md']);
  for (const page of reached) for (const linked of pagesLinkedFrom(page)) reached.add(linked);
  expect(documents.filter((page) => !reached.has(page))).toEqual([]);
});

it.each(['docs/explain.md', 'docs/guides/no-update.md'])('%s: says what each remedy is', (path) => {
  const rows = read(path)
    .split('\n')
    .filter((line) => line.startsWith('| `'));
  const named = new Set(
    rows.flatMap((row) => [...(row.split(' | ')[0] ?? '').matchAll(/`([\w-]+)`/g)].map(([, name]) => name)),
  );
  expect(remedyKinds.filter((kind) => !named.has(kind))).toEqual([]);
});

it('lists every decision in the index of decisions', () => {
  const index = read('docs/adr/README.md');
  const pages = readdirSync(join(root, 'docs/adr')).filter((name) => /^\d{4}-/.test(name));
  expect(pages.filter((page) => !index.includes(`(${page})`))).toEqual([]);
});

it('counts nothing that changes with the code, except where the count is generated', () => {
  const count = /\b(\d[\d,]*|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty)/;
  const counted =
    /(routes|endpoints|tests|suites|projects|rules|commands|tables|permissions|metrics|ports|areas|indexes|partitions)\b/;
  const counts = new RegExp(`${count.source} ${counted.source}`, 'gi');
  const pages = documents.filter((path) => !path.startsWith('docs/adr/') && path !== 'CHANGELOG.md');
  const withoutGenerated = (page: string): string => page.replace(/<!-- (\w+) -->.*?<!-- \/\1 -->/gs, '');
  const found = pages.flatMap((path) =>
    [...withoutGenerated(read(path)).matchAll(counts)].map(([text]) => `${path}: ${text}`),
  );
  expect(found).toEqual([]);
});

it('names only npm scripts that exist', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = documents.flatMap((path) =>
    [...read(path).matchAll(/npm run (?:--silent )?([a-z]+(?::[a-z0-9]+)*)/g)].map(([, name = '']) => name),
  );
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});
