import { isIn, parseRange } from '../tools/node/node-ranges.js';
import type { ToolName } from '../tools/tool-store.js';

/**
 * What a project gets that names a package manager, but no version, newest first: the newest of each major version, and of Yarn the
 * newest for each format of lock files.
 */
const VERSIONS: Readonly<Record<ToolName, readonly string[]>> = {
  npm: ['12.2.2', '11.21.2', '10.9.9', '9.9.4'],
  pnpm: ['12.4.2', '11.28.11', '10.34.9', '9.15.9', '8.15.9', '7.33.7', '6.35.1'],
  yarn: ['4.18.1', '4.14.1', '4.13.0', '4.0.2', '3.8.7', '3.1.1', '3.0.2', '2.4.2', '1.22.22'],
  bun: ['1.4.5'],
};

/** What lock files contain, and the version that reads them: the first one that applies. */
const FORMATS: Readonly<Record<'pnpm' | 'yarn', readonly (readonly [format: RegExp, version: string])[]>> = {
  pnpm: [
    // Versions 9 to 12 have it in common: 10 reads settings in package.json, as 9 does, and runs no scripts unasked, as 11 does.
    [/^lockfileVersion:\s*['"]?(?:9|\d{2})/m, '10.34.9'],
    [/^lockfileVersion:\s*['"]?6/m, '8.15.9'],
    [/^lockfileVersion:\s*['"]?5\.4/m, '7.33.7'],
    [/^lockfileVersion:\s*['"]?5\.3/m, '6.35.1'],
  ],
  // With --immutable, Yarn refuses what it would write in another way.
  yarn: [
    [/^__metadata:\r?\n {2}version: \d{2}/m, '4.18.1'],
    [/^__metadata:\r?\n {2}version: 9/m, '4.14.1'],
    // Up to 4.0, checksums have no prefix, such as 10c0/.
    [/^__metadata:\r?\n {2}version: 8[^]*?^ {2}checksum: [\da-f]{64}/m, '4.0.2'],
    [/^__metadata:\r?\n {2}version: [78]/m, '4.13.0'],
    [/^__metadata:\r?\n {2}version: 6/m, '3.8.7'],
    [/^__metadata:\r?\n {2}version: 5/m, '3.1.1'],
    [/^__metadata:\r?\n {2}version: 4\r?\n {2}cacheKey: 8/m, '3.0.2'],
    [/^__metadata:/m, '2.4.2'],
    [/^/, '1.22.22'],
  ],
};

/** Without a lock file: what reads those that the tool has written for years. */
const DEFAULTS = { pnpm: '10.34.9', yarn: '4.18.1', bun: '1.4.5' } as const;

/**
 * A version that reads a lock file.
 *
 * @param lock its text; `null`: there is none
 * @returns `null`: its format is too old
 */
export function versionForLock(name: Exclude<ToolName, 'npm'>, lock: string | null): string | null {
  if (name === 'bun' || lock === null) return DEFAULTS[name];
  return FORMATS[name].find(([format]) => format.test(lock))?.[1] ?? null;
}

/**
 * A version in a range of npm.
 *
 * @param preferred if it is in the range, such as the one for the lock file; `null`: none
 * @returns `null`: none is known, or the range cannot be read
 */
export function versionInRange(name: ToolName, range: string, preferred: string | null): string | null {
  const read = parseRange(range);
  const all = preferred === null ? VERSIONS[name] : [preferred, ...VERSIONS[name]];
  return read === null ? null : (all.find((version) => isIn(version, read)) ?? null);
}
