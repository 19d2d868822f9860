import { join } from 'node:path';
import { StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import { withoutComments } from './gradle-text.js';

const MAX_BYTES = 512 * 1024;
const MAX_MODULES = 500;
const BUILD_FILES = ['build.gradle', 'build.gradle.kts'];
const NAME = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,99}$/;
/** Folders without modules. */
const IGNORED = new Set(['build', 'gradle', 'node_modules', 'src', 'buildSrc']);
/** The usual name, also of projects whose plugin comes from a custom plugin. */
const USUAL = 'app';
/** By its id, or by its usual names in a version catalog. A plugin that is only declared is none. */
const APPLIED =
  /(?:com\.android\.application["']|libs\.plugins\.(?:android|agp)[.\w]{0,50}[aA]pplication\b)(?!\)?[ \t]{0,20}(?:version\b[^\n]{0,100})?[ \t]{0,20}apply\(?[ \t]{0,20}false)(?![^\n]{0,150}\bapply\(?[ \t]{0,20}false)/;

/** The module of a Gradle project that is the app. */
export interface ApplicationModule {
  /** Relative to the root of the Gradle project; `''`: the root itself. */
  readonly dir: string;
  /** As Gradle calls it, such as `:app`; `''`: the root. */
  readonly path: string;
  /** Its build.gradle or build.gradle.kts, relative to `dir`. */
  readonly buildFile: string;
}

/**
 * Finds the module that applies the plugin of Android applications: `app`, if there are several.
 *
 * @param gradleDir relative to the working copy
 * @throws StepError when there is none, or it is not clear which
 */
export async function findApplicationModule(
  files: ProjectFolder,
  gradleDir: string,
): Promise<ApplicationModule> {
  const dirs = await moduleDirs(files, gradleDir);
  const found: ApplicationModule[] = [];
  let usual: ApplicationModule | null = null;
  for (const dir of dirs) {
    for (const buildFile of BUILD_FILES) {
      const text = await files.read('configuration', join(gradleDir, dir, buildFile), MAX_BYTES);
      if (text === null) continue;
      const path = dir === '' ? '' : `:${dir.replaceAll('/', ':')}`;
      const module = { dir, path, buildFile };
      if (dir === USUAL) usual = module;
      if (APPLIED.test(withoutComments(text))) found.push(module);
      break;
    }
  }
  const [only] = found;
  if (only !== undefined && found.length === 1) return only;
  if (usual !== null && (found.length === 0 || found.includes(usual))) return usual;
  const where = gradleDir === '' ? 'the repository' : gradleDir;
  throw new StepError(
    'configuration',
    found.length === 0
      ? `No module in ${where} applies the plugin com.android.application.`
      : `Several modules in ${where} are apps (${found.map(({ dir }) => dir || 'the root').join(', ')}), and none of them is called "${USUAL}".`,
  );
}

/** The root, and the folders in it and in these. */
async function moduleDirs(files: ProjectFolder, gradleDir: string): Promise<string[]> {
  const dirs = [''];
  const first = await childrenOf(files, gradleDir);
  for (const name of first) {
    const second = await childrenOf(files, join(gradleDir, name));
    dirs.push(name, ...second.map((child) => `${name}/${child}`));
    if (dirs.length > MAX_MODULES) {
      throw new StepError('configuration', `The Gradle project has more than ${MAX_MODULES} folders.`);
    }
  }
  return dirs;
}

async function childrenOf(files: ProjectFolder, path: string): Promise<string[]> {
  const entries = await files.list('configuration', path);
  return entries
    .filter(({ name, isFolder }) => isFolder && NAME.test(name) && !IGNORED.has(name))
    .map(({ name }) => name);
}
