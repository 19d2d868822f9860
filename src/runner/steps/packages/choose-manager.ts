import { dirname, join } from 'node:path';
import { StepError } from '../build-run.js';
import type { ProjectEntry } from '../project/project-config.js';
import { isObject, type ProjectFolder } from '../project/project-folder.js';
import type { ToolName } from '../tools/tool-store.js';
import { versionForLock, versionInRange } from './known-versions.js';
import type { PackageManager } from './managers.js';
import { isInWorkspace } from './workspaces.js';

const PACKAGE = 'package.json';
const CONFIG = 'capawesome.config.json';
const MAX_BYTES = 1024 * 1024;
/** Longest lock file, in bytes: it is hashed while other jobs run. */
export const MAX_LOCK_BYTES = 8 * MAX_BYTES;

/** Lock files and who reads them. npm prefers its first one. */
const LOCKS: readonly (readonly [file: string, name: ToolName])[] = [
  ['npm-shrinkwrap.json', 'npm'],
  ['package-lock.json', 'npm'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
];
const NAMES: readonly ToolName[] = ['npm', 'pnpm', 'yarn', 'bun'];
/** As Corepack defined it: an exact version, and maybe the hash of what is downloaded. */
const EXACT = /^(npm|pnpm|yarn|bun)@(\d+\.\d+\.\d+(?:-[\w.-]{1,50})?)(?:\+(sha\d{1,3})\.([\da-f]{1,200}))?$/;
const VERSION = /^\d+\.\d+\.\d+(?:-[\w.-]{1,50})?$/;

/** A folder of the project: the one of the app, or one above it. */
interface Level {
  /** Relative to the working copy. */
  readonly dir: string;
  readonly manifest: Readonly<Record<string, unknown>> | null;
  readonly locks: readonly (typeof LOCKS)[number][];
}

/** What a package.json says about its package manager. */
interface Declaration {
  readonly name: ToolName;
  /** Exact, or a range of npm; `null`: any. */
  readonly version: string | null;
  /** No other version will do. */
  readonly isStrict: boolean;
  /** As of `PackageManager`. */
  readonly sha512: string | null;
  /** For people. */
  readonly by: string;
}

/** Which Yarn the project has committed, and the file that says it. */
interface CommittedYarn {
  readonly program: string;
  readonly by: string;
}

/**
 * Who installs the packages of an app: `packageManager` or `devEngines` of the nearest package.json, else the nearest lock file,
 * else npm. Both are looked for from the folder of the app up to the root of the repository; a lock file above counts for the
 * packages of its workspace.
 *
 * @param entry of the app. With an install command, the project need not be clear: what is not is left to npm
 * @param onNote gets what does not count, in one line each
 * @throws StepError when it is not clear
 */
export async function chooseManager(
  files: ProjectFolder,
  { baseDir, installCommand }: ProjectEntry,
  onNote: (note: string) => void,
): Promise<PackageManager> {
  const all = await levelsOf(files, baseDir);
  const levels = await ownLevels(files, all);
  try {
    // What a folder above declares is about its packages. This app may be none of them, and have a lock file of another manager.
    const above = findDeclared(all);
    const locks = levels.flatMap((level) => level.locks);
    const isMeant = locks.length === 0 || locks.some(([, name]) => name === above?.name);
    const declared = findDeclared(levels) ?? (isMeant ? above : null);
    if (installCommand === null && declared !== null) noteOthers(levels, declared, onNote);
    return await completed(files, levels, declared, findLocked(levels, declared, installCommand), onNote);
  } catch (error) {
    if (installCommand === null || !(error instanceof StepError)) throw error;
    onNote(`${error.message} "dependencyInstallCommand" of ${CONFIG} decides.`);
    return npmIn(levels);
  }
}

/** The npm of Node.js, and its lock file if there is one. */
function npmIn(levels: readonly Level[]): PackageManager {
  const locked = levels.map((level) => lockIn(level, 'npm')).find((lock) => lock !== null) ?? null;
  const root = locked === null ? rootOf(levels) : dirOf(locked);
  const none = { version: null, isDeclared: false, program: null, sha512: null };
  return { ...none, name: 'npm', because: locked, root, lock: locked };
}

async function completed(
  files: ProjectFolder,
  levels: readonly Level[],
  declared: Declaration | null,
  locked: string | null,
  onNote: (note: string) => void,
): Promise<PackageManager> {
  const name = declared?.name ?? LOCKS.find(([file]) => locked?.endsWith(file) === true)?.[1] ?? 'npm';
  const root = locked === null ? rootOf(levels) : dirOf(locked);
  const yarn = name === 'yarn' ? await committedYarn(files, root) : null;
  if (yarn !== null && declared !== null && !yarn.program.includes(declared.version ?? '')) {
    onNote(`${yarn.by} names ${yarn.program}, which wins over ${declared.by}, as Yarn has it`);
  }
  const version = yarnVersion(yarn) ?? (await versionFor(files, name, declared, locked));
  return {
    name,
    version,
    because: yarn?.by ?? declared?.by ?? locked,
    isDeclared: yarn !== null || declared !== null,
    root,
    lock: locked,
    program: yarn?.program ?? null,
    sha512: declared?.sha512 ?? null,
  };
}

/** What the project names, else what reads its lock file. @returns `null`: the npm of Node.js */
async function versionFor(
  files: ProjectFolder,
  name: ToolName,
  declared: Declaration | null,
  lock: string | null,
): Promise<string | null> {
  const range = declared?.version ?? null;
  if (range !== null && VERSION.test(range)) return range;
  const text = lock === null ? null : await files.read('configuration', lock, MAX_LOCK_BYTES);
  const usual = name === 'npm' ? null : versionForLock(name, text);
  const version = range === null ? usual : versionInRange(name, range, usual);
  // What Node.js brings mostly fits, and npm compares.
  if (name === 'npm' && (version === null || version.startsWith('11.'))) return null;
  if (version !== null) return version;
  if (declared !== null && range !== null) {
    if (!declared.isStrict && usual !== null) return usual;
    throw new StepError(
      'configuration',
      `${declared.by} asks for ${name} ${shown(range)}, for which there is no default: add an exact version as "packageManager", such as "pnpm@10.28.1".`,
    );
  }
  throw new StepError(
    'configuration',
    `${lock} is too old to say which ${name} reads it: name the version as "packageManager" in ${PACKAGE}.`,
  );
}

/** From the folder of the app up. */
async function levelsOf(files: ProjectFolder, baseDir: string): Promise<Level[]> {
  const levels: Level[] = [];
  for (let dir = baseDir; ; dir = dirOf(dir)) {
    const manifest = await files.readJson('configuration', join(dir, PACKAGE), MAX_BYTES);
    const locks: Level['locks'][number][] = [];
    for (const lock of LOCKS) {
      if ((await files.resolve('configuration', join(dir, lock[0]))) !== null) locks.push(lock);
    }
    levels.push({ dir, manifest, locks });
    if (dir === '') return levels;
  }
}

/** The nearest folder with a package.json, and those above it whose installation has it, too. */
async function ownLevels(files: ProjectFolder, levels: readonly Level[]): Promise<readonly Level[]> {
  const index = levels.findIndex(({ manifest }) => manifest !== null);
  const [app, ...above] = index === -1 ? levels : levels.slice(index);
  if (app === undefined) return levels;
  const own: Level[] = [app];
  for (const level of above) {
    const isNx = (await files.resolve('configuration', join(level.dir, 'nx.json'))) !== null;
    if (isNx || (await isInWorkspace(files, level.dir, level.manifest, app.dir))) own.push(level);
  }
  return own;
}

/** Without a lock file: the workspace if there is one. */
function rootOf(levels: readonly Level[]): string {
  return (levels[1] ?? levels[0])?.dir ?? '';
}

function findDeclared(levels: readonly Level[]): Declaration | null {
  for (const { dir, manifest } of levels) {
    const path = join(dir, PACKAGE);
    const found = packageManagerIn(manifest, path) ?? devEngineIn(manifest, path);
    if (found !== null) return found;
  }
  return null;
}

function packageManagerIn(manifest: Level['manifest'], path: string): Declaration | null {
  const value = manifest?.['packageManager'] ?? null;
  if (value === null) return null;
  const [, name, version, algorithm, digest] =
    (typeof value === 'string' ? EXACT.exec(value.trim()) : null) ?? [];
  const known = NAMES.find((candidate) => candidate === name);
  if (known === undefined || version === undefined) {
    throw new StepError(
      'configuration',
      `"packageManager" of ${path} is ${shown(value)}: it must be npm, pnpm, yarn or bun with an exact version, such as "pnpm@10.28.1".`,
    );
  }
  // Of Yarn from version 2 on, it is that of a file, and not of the package.
  const isOfPackage = algorithm === 'sha512' && (known !== 'yarn' || version.startsWith('1.'));
  return {
    name: known,
    version,
    isStrict: true,
    sha512: isOfPackage && digest !== undefined ? digest : null,
    by: `"packageManager" of ${path}`,
  };
}

function devEngineIn(manifest: Level['manifest'], path: string): Declaration | null {
  const engines = manifest?.['devEngines'];
  const value = isObject(engines) ? (engines['packageManager'] ?? null) : null;
  if (value === null) return null;
  const by = `"devEngines.packageManager" of ${path}`;
  const entries = (Array.isArray(value) ? value : [value]).filter(isObject);
  const entry = entries.find((candidate) => NAMES.some((name) => name === candidate['name']));
  const name = NAMES.find((candidate) => candidate === entry?.['name']);
  if (entry === undefined || name === undefined) {
    throw new StepError('configuration', `${by} is ${shown(value)}: "name" must be npm, pnpm, yarn or bun.`);
  }
  const version = entry['version'] ?? null;
  const isStrict = entry['onFail'] !== 'ignore' && entry['onFail'] !== 'warn';
  const range =
    version === null
      ? null
      : String(version)
          .trim()
          .replace(/^v(?=\d)/, '');
  return { name, version: range, isStrict, sha512: null, by };
}

/** The nearest lock file. @returns relative to the working copy; `null`: there is none @throws StepError when there are two */
function findLocked(
  levels: readonly Level[],
  declared: Declaration | null,
  installCommand: string | null,
): string | null {
  if (declared !== null) {
    return levels.map((level) => lockIn(level, declared.name)).find((lock) => lock !== null) ?? null;
  }
  const level = levels.find(({ locks }) => locks.length > 0);
  if (level === undefined) return null;
  const names = [...new Set(level.locks.map(([, name]) => name))];
  const [first = 'npm', second] = names;
  if (second === undefined) return lockIn(level, first);
  const meant = names.find((name) => installCommand !== null && mentions(installCommand, name));
  if (meant !== undefined) return lockIn(level, meant);
  const paths = names.map((name) => lockIn(level, name)).join(' and ');
  throw new StepError(
    'configuration',
    `There are ${paths}, and nothing says which of them counts: delete the other one, or name the package manager as "packageManager" in ${join(level.dir, PACKAGE)}, such as "pnpm@10.28.1".`,
  );
}

/** Lock files of others would be honoured by their own package managers only. */
function noteOthers(
  levels: readonly Level[],
  { name, by }: Declaration,
  onNote: (note: string) => void,
): void {
  for (const { dir, locks } of levels) {
    for (const [file, reader] of locks) {
      if (reader !== name) onNote(`${join(dir, file)} does not count, because ${by} names ${name}`);
    }
  }
}

/** `yarnPath` of `.yarnrc.yml`, or `yarn-path` of `.yarnrc`. @throws StepError when there is no such file */
async function committedYarn(files: ProjectFolder, root: string): Promise<CommittedYarn | null> {
  for (const [file, key, pattern] of YARN_PATHS) {
    const path = join(root, file);
    const text = await files.read('configuration', path, MAX_BYTES);
    const value = text === null ? undefined : pattern.exec(text)?.[1];
    if (value === undefined) continue;
    const by = `"${key}" of ${path}`;
    const program = join(root, value);
    if ((await files.resolve('configuration', program)) !== null) return { program, by };
    throw new StepError('configuration', `${by} names ${program}, which is not in the project: commit it.`);
  }
  return null;
}

const YARN_PATHS = [
  ['.yarnrc.yml', 'yarnPath', /^yarnPath:\s*["']?([^\s"'#]+)/m],
  ['.yarnrc', 'yarn-path', /^yarn-path\s+["']?([^\s"']+)/m],
] as const;

/** What the name of the file says, which `yarn set version` gives it. */
function yarnVersion(yarn: CommittedYarn | null): string | null {
  return /yarn-(\d+\.\d+\.\d+(?:-[\w.]{1,50})?)\.c?js$/.exec(yarn?.program ?? '')?.[1] ?? null;
}

/** Whether a command names a program, as a word, maybe with a version: `npx pnpm@9 install`. */
export function mentions(command: string, name: string): boolean {
  return command.split(/[\s;&|()]+/).some((word) => word.split('@', 1)[0] === name);
}

function lockIn({ dir, locks }: Level, name: ToolName): string | null {
  const file = locks.find(([, reader]) => reader === name)?.[0];
  return file === undefined ? null : join(dir, file);
}

/** As `dirname`, where the root of the working copy is `''`. */
function dirOf(path: string): string {
  const dir = dirname(path);
  return dir === '.' ? '' : dir;
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? '').slice(0, 100);
}
