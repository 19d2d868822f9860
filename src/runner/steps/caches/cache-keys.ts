import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { BuildProject } from '../build-project.js';
import { isFact } from '../build-run.js';
import { MAX_LOCK_BYTES } from '../packages/choose-manager.js';
import { findFiles } from './find-files.js';

const NPM_LOCKS = ['package-lock.json', 'npm-shrinkwrap.json'];
const OTHER_LOCKS = ['pnpm-lock.yaml', 'yarn.lock', 'bun.lock', 'bun.lockb'];
const OTHER_FILES = [
  'package.json',
  '.npmrc',
  'pnpm-workspace.yaml',
  '.yarnrc',
  '.yarnrc.yml',
  'bunfig.toml',
];
/** Files that say what Gradle downloads. */
const GRADLE_FILES =
  /\.gradle(?:\.kts)?$|^(?:libs\.versions\.toml|gradle\.lockfile|gradle-wrapper\.properties)$/;

/** What the downloads of package managers depend on. @returns `null`: no lock file says it */
export async function packagesKey(project: BuildProject): Promise<string | null> {
  const locks = await hashes(project, [...NPM_LOCKS, ...OTHER_LOCKS]);
  return locks.every((lock) => lock === null) ? null : installationKey(project, [], locks);
}

/**
 * What the installed packages of a project depend on.
 *
 * @returns `null`: they are not kept, because no lock file of npm says what they are
 */
export async function modulesKey(project: BuildProject): Promise<string | null> {
  const locks = await hashes(project, NPM_LOCKS);
  if (locks.every((lock) => lock === null)) return null;
  return installationKey(project, [process.platform, process.arch, project.node.version], locks);
}

async function installationKey(
  project: BuildProject,
  machine: readonly string[],
  locks: readonly (string | null)[],
): Promise<string> {
  const { baseDir, installCommand, installDir, manager } = project.config;
  const others = await hashes(project, OTHER_FILES);
  const own = [
    settingsOf(project),
    baseDir,
    installCommand,
    installDir,
    manager.root,
    manager.name,
    manager.version,
  ];
  return sha256(JSON.stringify([...own, ...machine, ...locks, ...others]));
}

/**
 * What Gradle downloads depends on: its files in the project, and the lock files of npm, whose packages have such files,
 * too. To be called before the build changes any.
 *
 * @returns `null`: there is no such file, or there are too many
 */
export async function gradleKey(project: BuildProject): Promise<string | null> {
  const found = await contentsOf(project, GRADLE_FILES);
  if (found === null) return null;
  const { build, configuration } = project.run.payload;
  const { displayName = null, packageName = null, versionName = null } = configuration ?? {};
  const { baseDir, installCommand, webBuildCommand } = project.config;
  const locks = await hashes(project, [...NPM_LOCKS, ...OTHER_LOCKS]);
  const others = [
    build.type,
    displayName,
    packageName,
    versionName,
    baseDir,
    installCommand,
    webBuildCommand,
  ];
  return sha256(JSON.stringify([settingsOf(project), others, locks, ...found]));
}

/** What CocoaPods downloads depends on: its lock files, and those of npm, whose packages are pods. As `gradleKey`. */
export function podsKey(project: BuildProject): Promise<string | null> {
  return lockedKey(project, /^Podfile(?:\.lock)?$/);
}

/** What the package manager of Swift downloads depends on. As `gradleKey`. */
export function swiftPackagesKey(project: BuildProject): Promise<string | null> {
  return lockedKey(project, /^Package\.(?:resolved|swift)$/);
}

async function lockedKey(project: BuildProject, names: RegExp): Promise<string | null> {
  const found = await contentsOf(project, names);
  if (found === null) return null;
  const locks = await hashes(project, [...NPM_LOCKS, ...OTHER_LOCKS]);
  return sha256(JSON.stringify([settingsOf(project), locks, ...found]));
}

/**
 * The variables and secrets of a build, which installations and plugins of Gradle read. What says which build it is does not
 * count, or no build would have a cache.
 */
function settingsOf({ run }: BuildProject): string {
  const { environment, secrets } = run.payload;
  const variables = Object.entries(environment).filter(([key]) => !isFact(key));
  return sha256(JSON.stringify([variables.toSorted(byName), Object.entries(secrets).toSorted(byName)]));
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}

/** The paths of files with such names, and their hashes. @returns `null`: there is no such file, or there are too many */
async function contentsOf(
  project: BuildProject,
  names: RegExp,
): Promise<readonly [string[], (string | null)[]] | null> {
  const paths = await findFiles(project.files, project.config.baseDir, names);
  if (paths === null || paths.length === 0) return null;
  const contents: (string | null)[] = [];
  for (const path of paths) contents.push(await hash(project, path));
  return [paths, contents];
}

/** Of files where packages are installed, and in the folder of the app. */
function hashes(project: BuildProject, names: readonly string[]): Promise<(string | null)[]> {
  const { baseDir, manager } = project.config;
  const paths = [...new Set([manager.root, baseDir])].flatMap((dir) => names.map((name) => join(dir, name)));
  return Promise.all(paths.map((path) => hash(project, path)));
}

async function hash({ files }: BuildProject, path: string): Promise<string | null> {
  const content = await files.read('install', path, MAX_LOCK_BYTES);
  return content === null ? null : sha256(content);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
