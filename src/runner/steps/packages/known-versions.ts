import type { ToolName } from '../tools/tool-store.js';

/**
 * What a project gets that names a package manager, but no version, newest first: the newest of each major version, and of Yarn the
 * newest for each format of lock files, because an installation that may not change one refuses an older format.
 */
const VERSIONS: Readonly<Record<ToolName, readonly string[]>> = {
  npm: ['12.2.2', '11.21.2', '10.9.9', '9.9.4'],
  pnpm: ['12.4.2', '11.28.11', '10.34.9', '9.15.9', '8.15.9', '7.33.7', '6.35.1'],
  yarn: ['4.18.1', '4.14.1', '4.13.0', '3.8.7', '3.1.1', '2.4.2', '1.22.22'],
  bun: ['1.4.5'],
};

/** Formats of lock files from which on a version reads and writes them, the highest first. */
const FORMATS: Readonly<Record<'pnpm' | 'yarn', readonly (readonly [format: number, version: string])[]>> = {
  pnpm: [
    // Versions 9 to 12 have it in common: 10 reads settings in package.json, as 9 does, and runs no scripts unasked, as 11 does.
    [9, '10'],
    [6, '8'],
    [5.4, '7'],
    [5.3, '6'],
  ],
  yarn: [
    [10, '4'],
    [9, '4.14'],
    [7, '4.13'],
    [6, '3.8'],
    [5, '3.1'],
    [1, '2'],
    // Yarn 1 writes no number.
    [0, '1'],
  ],
};

const FORMAT = {
  pnpm: /^lockfileVersion:\s*['"]?(\d+(?:\.\d+)?)/m,
  yarn: /^__metadata:\r?\n(?: {2}.*\r?\n)*? {2}version: (\d+)/m,
} as const;

/**
 * A version that reads a lock file.
 *
 * @param lock its text; `null`: there is none
 * @returns `null`: its format is too old
 */
export function versionForLock(name: Exclude<ToolName, 'npm'>, lock: string | null): string | null {
  if (name === 'bun') return newestOf(name, '1');
  if (lock === null) return newestOf(name, name === 'pnpm' ? '10' : '4');
  const format = Number(FORMAT[name].exec(lock)?.[1] ?? '0');
  const line = FORMATS[name].find(([from]) => format >= from)?.[1];
  return line === undefined ? null : newestOf(name, line);
}

/**
 * A version in a range of npm.
 *
 * @param range such as `^10.2.0`, `~9.15`, `>=9` or `10.x`
 * @returns `null`: none is known, or the range is another kind
 */
export function versionInRange(name: ToolName, range: string): string | null {
  const parts = /^(\^|~|>=)? ?v?(\d+)(?:\.(\d+|[x*]))?(?:\.(\d+|[x*]))?$/.exec(range.trim());
  if (parts === null) return null;
  const [, operator = '^', ...rest] = parts;
  const lowest = rest.filter((part) => part !== undefined && /^\d+$/.test(part)).map(Number);
  // The same major version where there is one, which is the least surprise for ">=9", too.
  const isSame = (version: string, count: number): boolean =>
    numbersOf(version).slice(0, count).join('.') === lowest.slice(0, count).join('.');
  const fixed =
    operator === '~'
      ? Math.min(2, lowest.length)
      : operator === '^' && parts[1] === undefined
        ? lowest.length
        : 1;
  const all = VERSIONS[name].filter((version) => isAtLeast(numbersOf(version), lowest));
  const same = all.find((version) => isSame(version, fixed));
  return same ?? (operator === '>=' ? (all.at(-1) ?? null) : null);
}

function newestOf(name: ToolName, line: string): string | null {
  return VERSIONS[name].find((version) => version.startsWith(`${line}.`)) ?? null;
}

function isAtLeast(version: readonly number[], lowest: readonly number[]): boolean {
  const differs = lowest.findIndex((number, index) => number !== version[index]);
  return differs === -1 || (version[differs] ?? 0) > (lowest[differs] ?? 0);
}

function numbersOf(version: string): number[] {
  return version.split('.').map(Number);
}
