import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

const SRC = resolve(import.meta.dirname, '../../src');

/** An import that remains when types are removed. Group 1: what is imported, group 2: from where. */
const IMPORT = /^(?:import|export)\s+(?!type\b)([^;'"]*?)from\s+'(\.[^']+)'/gm;

/** Folders of an area share these freely: a foreign key points where it must, and a DTO may hold another one. */
const SHARED = /\.(entity|dto)\.js$/;

/** The folders of one area that import each other, as a graph: folder → imported folder → one import as evidence. */
type Graph = Map<string, Map<string, string>>;

function graphOf(area: string): Graph {
  const graph: Graph = new Map();
  for (const path of readdirSync(join(SRC, area), { recursive: true, encoding: 'utf8' })) {
    const [folder, ...rest] = path.split('/');
    if (folder === undefined || rest.length === 0 || !/(?<!\.spec)\.ts$/.test(path)) continue;
    const imported = graph.get(folder) ?? new Map<string, string>();
    graph.set(folder, imported);
    for (const target of importsOf(join(SRC, area, path))) {
      const [to, ...within] = relative(join(SRC, area), target).split('/');
      if (to === undefined || within.length === 0 || to === '..' || to === folder) continue;
      imported.set(to, `${path} imports ${[to, ...within].join('/').replace(/\.js$/, '.ts')}`);
    }
  }
  return graph;
}

function importsOf(file: string): string[] {
  const imports = readFileSync(file, 'utf8').matchAll(IMPORT);
  return [...imports].flatMap(([, names = '', from = '']) =>
    SHARED.test(from) || isTypeOnly(names) ? [] : [resolve(dirname(file), from)],
  );
}

/** Whether all names are of the form `type Name`. */
function isTypeOnly(names: string): boolean {
  const listed = /^\{([\s\S]*)\}\s*$/.exec(names)?.[1]?.split(',') ?? [];
  const given = listed.map((name) => name.trim()).filter((name) => name !== '');
  return given.length > 0 && given.every((name) => name.startsWith('type '));
}

/** The shortest way from a folder back to itself, as one import per line; `null` when there is none. */
function ringThrough(graph: Graph, start: string): string[] | null {
  const seen = new Set<string>();
  let ways: { folder: string; imports: string[] }[] = [{ folder: start, imports: [] }];
  while (ways.length > 0) {
    const next: typeof ways = [];
    for (const { folder, imports } of ways) {
      for (const [to, evidence] of graph.get(folder) ?? []) {
        if (to === start) return [...imports, evidence];
        if (!seen.has(to)) next.push({ folder: to, imports: [...imports, evidence] });
        seen.add(to);
      }
    }
    ways = next;
  }
  return null;
}

/** `common` holds helpers by their kind, not resources, so its folders use each other. */
const areas = readdirSync(SRC, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== 'common')
  .map(({ name }) => name);

/** Each ring once, whichever of its folders it was found from. */
function ringsOf(area: string): string[] {
  const graph = graphOf(area);
  const rings = [...graph.keys()].map((folder) => ringThrough(graph, folder)).filter((ring) => ring !== null);
  return [...new Set(rings.map((ring) => ring.toSorted().join('\n')))];
}

describe('the folders of an area', () => {
  // Break a ring by moving a file, or by an abstract class that one side declares and the other provides (ADR 7).
  it.each(areas)('of src/%s import each other in no ring, but for entities, DTOs and types', (area) => {
    expect(ringsOf(area)).toEqual([]);
  });
});
