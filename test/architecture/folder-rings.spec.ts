import { sourceFiles } from '../../scripts/count.js';

/** Folders of an area share these freely: a foreign key points where it must, and a DTO may hold another one. */
const SHARED = /\.(entity|dto)\.ts$/;

/** The folders of one area that import each other, as a graph: folder → imported folder → one import as evidence. */
type Graph = Map<string, Map<string, string>>;

const sources = sourceFiles();

function graphOf(area: string): Graph {
  const graph: Graph = new Map();
  for (const { path, imports } of sources) {
    const folder = folderIn(area, path);
    if (folder === null) continue;
    const imported = graph.get(folder) ?? new Map<string, string>();
    graph.set(folder, imported);
    for (const target of imports) {
      const to = folderIn(area, target);
      if (to === null || to === folder || SHARED.test(target)) continue;
      imported.set(to, `${path} imports ${target}`);
    }
  }
  return graph;
}

/** The folder of a file within an area; `null`: it has none there. */
function folderIn(area: string, path: string): string | null {
  const [first, folder, ...within] = path.split('/');
  return first === area && folder !== undefined && within.length > 0 ? folder : null;
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
const areas = [...new Set(sources.map(({ area }) => area))].filter(
  (area) => area !== 'common' && area !== '.',
);

/** Each ring once, whichever of its folders it was found from. */
function ringsOf(area: string): string[] {
  const graph = graphOf(area);
  const rings = [...graph.keys()].map((folder) => ringThrough(graph, folder)).filter((ring) => ring !== null);
  return [...new Set(rings.map((ring) => ring.toSorted().join('\n')))];
}

describe('the folders of an area', () => {
  // Break a ring by moving a file, or by an abstract class that one side declares and the other provides (ADR 7).
  it.each(areas)('of src/%s import each other in no ring, but for entities and DTOs', (area) => {
    expect(ringsOf(area)).toEqual([]);
  });
});
