import { join } from 'node:path';
import type { PayloadAppDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
import { StepError } from '../../../steps/build-run.js';
import { findBuildScript, requireBuildScript } from '../../../steps/project/project-config.js';
import { isObject, type ProjectFolder } from '../../../steps/project/project-folder.js';

const MAX_BYTES = 1024 * 1024;
const CAPACITOR_CONFIGS = ['capacitor.config.json', 'capacitor.config.ts', 'capacitor.config.js'];
/** What the root of a Gradle project has. */
const SETTINGS = ['settings.gradle', 'settings.gradle.kts', 'gradlew'];
const CORDOVA_DIR = 'platforms/android';
const DEFAULT_DIR = 'android';

/** What makes the native project: Capacitor and Cordova fill one, other projects are one. */
export type AndroidProjectKind = 'capacitor' | 'cordova' | 'native';

/** The Android project in a working copy. */
export interface AndroidProject {
  readonly kind: AndroidProjectKind;
  /** The root of the Gradle project, relative to the working copy. Cordova makes it. */
  readonly gradleDir: string;
}

/**
 * Finds out from the files what kind of project it is.
 *
 * @param baseDir relative to the working copy
 * @throws StepError when it is none, with what to do
 */
export async function findAndroidProject(files: ProjectFolder, baseDir: string): Promise<AndroidProject> {
  const has = async (path: string): Promise<boolean> =>
    (await files.resolve('configuration', join(baseDir, path))) !== null;
  if (await hasSome(CAPACITOR_CONFIGS, has)) {
    const gradleDir = join(baseDir, await capacitorDir(files, baseDir));
    await requireFolder(files, gradleDir, 'run "npx cap add android" and commit the folder');
    return { kind: 'capacitor', gradleDir };
  }
  if (await has('config.xml')) return { kind: 'cordova', gradleDir: join(baseDir, CORDOVA_DIR) };
  for (const folder of ['', DEFAULT_DIR]) {
    if (await hasSome(SETTINGS, (name) => has(join(folder, name)))) {
      return { kind: 'native', gradleDir: join(baseDir, folder === '' ? '.' : folder).replace(/^\.$/, '') };
    }
  }
  throw new StepError(
    'configuration',
    `${baseDir === '' ? 'The repository' : baseDir} has no Android project (no folder "android", no settings.gradle, no config.xml of Cordova): run "npx cap add android" and commit it, or set "baseDir" in capawesome.config.json.`,
  );
}

/** As `FindWebBuild`: native projects have no web step, Cordova can do without, Capacitor needs one. */
export async function findAndroidWebBuild(files: ProjectFolder, baseDir: string): Promise<string | null> {
  const { kind } = await findAndroidProject(files, baseDir);
  if (kind === 'native') return null;
  return kind === 'cordova' ? findBuildScript(files, baseDir) : requireBuildScript(files, baseDir);
}

/** For the log. */
export function describeProject({ kind, gradleDir }: AndroidProject, appType: PayloadAppDto['type']): string {
  const names = {
    capacitor: 'a Capacitor project',
    cordova: 'a Cordova project',
    native: 'a native Android project without web assets',
  };
  const found = `This is ${names[kind]}, built in ${gradleDir === '' ? 'the root of the repository' : gradleDir}`;
  const expected = appType === 'capacitor' || appType === 'cordova' ? appType : 'native';
  return kind === expected ? found : `${found}; the app is of the type ${appType}, but the files decide`;
}

async function capacitorDir(files: ProjectFolder, baseDir: string): Promise<string> {
  const json = await files.readJson('configuration', join(baseDir, CAPACITOR_CONFIGS[0] ?? ''), MAX_BYTES);
  const path: unknown = isObject(json?.['android']) ? json['android']['path'] : undefined;
  if (path === undefined) return DEFAULT_DIR;
  if (typeof path === 'string' && path !== '' && !path.includes('\0')) return path;
  throw new StepError('configuration', '"android.path" of capacitor.config.json must be a folder.');
}

async function requireFolder(files: ProjectFolder, path: string, advice: string): Promise<void> {
  if ((await files.resolve('configuration', path)) !== null) return;
  throw new StepError('configuration', `The project has no folder ${path}: ${advice}.`);
}

async function hasSome(names: readonly string[], has: (name: string) => Promise<boolean>): Promise<boolean> {
  for (const name of names) if (await has(name)) return true;
  return false;
}
