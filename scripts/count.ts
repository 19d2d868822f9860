import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/*
 * `npm run count` prints how large each area of `src` is, without specs; with the name of an area also its small files that one
 * other file imports. `npm run count -- --write` makes the current sizes the budget of `test/architecture/size.spec.ts`.
 */

const SRC = resolve(import.meta.dirname, '../src');
const BUDGET = resolve(import.meta.dirname, '../test/architecture/size.json');

/** A whole import or re-export from another file of `src`. Group 1: the file. */
const FROM = /^(?:import|export)\s[^;]*?from\s+'(\.[^']+)';/gm;
const DYNAMIC = /import\('(\.[^']+)'\)/g;
/** All lines of an import, also from packages. */
const IMPORT = /^import\s[^;]*;/gm;

/** Files of one area: a folder of `src`; those of `src` itself are the area `.`. */
export interface AreaSize {
  readonly area: string;
  readonly files: number;
  readonly lines: number;
  /** Lines of the file in the middle. */
  readonly median: number;
  /** Lines that import something, as a share of all lines. */
  readonly imports: number;
  readonly modules: number;
  /** Files that one other file imports. */
  readonly lone: number;
  /** Those of them with fewer than 40 lines that are neither a module, nor an entity, nor a controller. */
  readonly small: readonly string[];
  /** Lines of the longest file. */
  readonly longest: number;
}

/** A file of `src` that is no spec. */
export interface SourceFile {
  /** From `src`. */
  readonly path: string;
  readonly area: string;
  readonly lines: number;
  readonly importLines: number;
  /** Paths from `src` of the files that it imports, also of types only. */
  readonly imports: readonly string[];
}

/** The size of each area, the largest first, and of all of them, as the area `all`. */
export function countSource(): AreaSize[] {
  const files = sourceFiles();
  const importers = Map.groupBy(
    files.flatMap(({ path, imports }) => [...new Set(imports)].map((to) => ({ to, path }))),
    ({ to }) => to,
  );
  const isLone = ({ path }: SourceFile): boolean => importers.get(path)?.length === 1;
  const sizeOf = (area: string, of: readonly SourceFile[]): AreaSize => {
    const lines = of.map((file) => file.lines).sort((a, b) => a - b);
    const sum = lines.reduce((total, count) => total + count, 0);
    return {
      area,
      files: of.length,
      lines: sum,
      median: lines[Math.floor(lines.length / 2)] ?? 0,
      imports: of.reduce((total, file) => total + file.importLines, 0) / sum,
      modules: of.filter(({ path }) => path.endsWith('.module.ts')).length,
      lone: of.filter(isLone).length,
      small: of
        .filter(
          (file) => isLone(file) && file.lines < 40 && !/\.(module|entity|controller)\.ts$/.test(file.path),
        )
        .map(({ path }) => path),
      longest: lines.at(-1) ?? 0,
    };
  };
  const areas = [...Map.groupBy(files, ({ area }) => area)].map(([area, of]) => sizeOf(area, of));
  return [...areas.sort((a, b) => b.lines - a.lines), sizeOf('all', files)];
}

export function sourceFiles(): SourceFile[] {
  return readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.spec.ts'))
    .map(readSource);
}

function readSource(path: string): SourceFile {
  const text = readFileSync(join(SRC, path), 'utf8');
  const [area = '', ...rest] = path.split('/');
  return {
    path,
    area: rest.length === 0 ? '.' : area,
    lines: countLines(text),
    importLines: [...text.matchAll(IMPORT)].reduce(
      (sum, [statement]) => sum + statement.split('\n').length,
      0,
    ),
    imports: [...text.matchAll(FROM), ...text.matchAll(DYNAMIC)].map(([, from = '']) =>
      relative(SRC, resolve(SRC, dirname(path), from)).replace(/\.js$/, '.ts'),
    ),
  };
}

function countLines(text: string): number {
  return text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
}

if (process.argv[1] === import.meta.filename) {
  const sizes = countSource();
  console.table(
    sizes.map(({ small, imports, ...size }) => ({
      ...size,
      small: small.length,
      imports: `${(imports * 100).toFixed(1)} %`,
    })),
  );
  const option = process.argv[2];
  if (option === '--write') {
    const budget = sizes.map(({ area, files, lines }) => [area, { files, lines }] as const);
    writeFileSync(BUDGET, `${JSON.stringify(Object.fromEntries(budget), null, 2)}\n`);
  } else if (option !== undefined) {
    console.log(sizes.find(({ area }) => area === option)?.small.join('\n') ?? `There is no area ${option}.`);
  }
}
