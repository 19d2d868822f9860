import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { BuildProject } from '../build-project.js';
import { gradleFiles } from './gradle-files.js';

/** Longest file, in bytes: it is hashed while other jobs run. */
const MAX_BYTES = 8 * 1024 ** 2;
const NPM_LOCKS = ['package-lock.json', 'npm-shrinkwrap.json'];
const OTHER_LOCKS = ['pnpm-lock.yaml', 'yarn.lock'];
const OTHER_FILES = ['package.json', '.npmrc'];
/** Variables that say what Gradle builds, and so what it downloads. */
const GRADLE_VARIABLES = ['ANDROID_BUILD_TYPE', 'ANDROID_FLAVOR', 'JAVA_VERSION'];

/** What the downloads of package managers depend on. @returns `null`: no lock file says it */
export async function packagesKey(project: BuildProject): Promise<string | null> {
  const locks = await hashes(project, [...NPM_LOCKS, ...OTHER_LOCKS]);
  if (locks.every((lock) => lock === null)) return null;
  const { config } = project;
  return sha256(
    JSON.stringify([
      config.baseDir,
      config.installCommand,
      ...locks,
      ...(await hashes(project, OTHER_FILES)),
    ]),
  );
}

/**
 * What the installed packages of a project depend on.
 *
 * @returns `null`: they are not kept, because no lock file of npm says what they are
 */
export async function modulesKey(project: BuildProject): Promise<string | null> {
  const locks = await hashes(project, NPM_LOCKS);
  if (locks.every((lock) => lock === null)) return null;
  const { config, node } = project;
  const others = await hashes(project, OTHER_FILES);
  const parts = [
    process.platform,
    process.arch,
    node.version,
    config.baseDir,
    config.installCommand,
    ...locks,
    ...others,
  ];
  return sha256(JSON.stringify(parts));
}

/**
 * What Gradle downloads depends on: its files in the project, and the lock files of npm, whose packages have such files,
 * too. To be called before the build changes any.
 *
 * @returns `null`: there is no such file, or there are too many
 */
export async function gradleKey(project: BuildProject): Promise<string | null> {
  const { files, config, run } = project;
  const paths = await gradleFiles(files, config.baseDir);
  if (paths === null || paths.length === 0) return null;
  const contents: (string | null)[] = [];
  for (const path of paths) contents.push(await hash(project, path));
  const { payload } = run;
  const variables = GRADLE_VARIABLES.map(
    (name) => payload.secrets[name] ?? payload.environment[name] ?? null,
  );
  const locks = await hashes(project, [...NPM_LOCKS, ...OTHER_LOCKS]);
  return sha256(JSON.stringify([payload.build.type, variables, locks, paths, contents]));
}

/** Of files in the folder of the project. */
function hashes(project: BuildProject, names: readonly string[]): Promise<(string | null)[]> {
  return Promise.all(names.map((name) => hash(project, join(project.config.baseDir, name))));
}

async function hash({ files }: BuildProject, path: string): Promise<string | null> {
  const content = await files.read('install', path, MAX_BYTES);
  return content === null ? null : sha256(content);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
