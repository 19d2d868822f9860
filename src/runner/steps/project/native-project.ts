import { join } from 'node:path';
import type { PayloadAppDto } from '../../../native-builds/runner-builds/build-payload.dto.js';
import { StepError } from '../build-run.js';
import {
  type CapacitorConfig,
  capacitorConfigs,
  findConfigProgram,
  readConfigFile,
} from './capacitor-config.js';
import { type FindWebBuild, findDefaultBuild, requireDefaultBuild } from './project-config.js';
import type { ProjectFolder } from './project-folder.js';

/** As people write them. */
export const platformNames = { android: 'Android', ios: 'iOS' } as const;

/** What makes the native project: Capacitor and Cordova fill one, other projects are one. */
export type NativeProjectKind = 'capacitor' | 'cordova' | 'native';
export type NativePlatform = keyof typeof platformNames;

/** Finds out what is in a folder, of which the others are parts. */
export function isIn(
  files: ProjectFolder,
  dir: string,
): (names: string | readonly string[]) => Promise<boolean> {
  return async (names) => {
    for (const name of typeof names === 'string' ? [names] : names) {
      if ((await files.resolve('configuration', join(dir, name))) !== null) return true;
    }
    return false;
  };
}

/** What fills the native project. @param baseDir relative to the working copy @returns `native`: nothing does */
export async function findProjectKind(files: ProjectFolder, baseDir: string): Promise<NativeProjectKind> {
  const has = isIn(files, baseDir);
  if (await has(capacitorConfigs)) return 'capacitor';
  return (await has('config.xml')) ? 'cordova' : 'native';
}

/**
 * The folder of a platform in a project of Capacitor, relative to the working copy.
 *
 * @param read the configuration; `null`: it was not read yet. Then the folder of one that is a program is a guess, because only
 *   installed dependencies can run it
 * @throws StepError when it is not there
 */
export async function capacitorDir(
  files: ProjectFolder,
  baseDir: string,
  platform: NativePlatform,
  read: CapacitorConfig | null,
): Promise<string> {
  if (read === null && (await findConfigProgram(files, baseDir, 'configuration')) !== null) {
    return join(baseDir, platform);
  }
  const config = read ?? (await readConfigFile(files, baseDir, 'configuration'));
  const dir = join(baseDir, config?.paths[platform] ?? platform);
  if ((await files.resolve('configuration', dir)) !== null) return dir;
  throw new StepError(
    'configuration',
    `The project has no folder ${dir}: run "npx cap add ${platform}" and commit the folder.`,
  );
}

/** As `FindWebBuild`: native projects have no web step, Cordova can do without, Capacitor needs one. */
export async function findWebBuildOf(
  kind: NativeProjectKind,
  ...[files, baseDir, manager]: Parameters<FindWebBuild>
): ReturnType<FindWebBuild> {
  if (kind === 'native') return null;
  return kind === 'cordova'
    ? findDefaultBuild(files, baseDir, manager)
    : requireDefaultBuild(files, baseDir, manager);
}

/** For the log. @param dir where it is built, relative to the working copy */
export function describeProject(
  kind: NativeProjectKind,
  dir: string,
  platform: NativePlatform,
  appType: PayloadAppDto['type'],
): string {
  const names = {
    capacitor: 'a Capacitor project',
    cordova: 'a Cordova project',
    native: `a native ${platformNames[platform]} project without web assets`,
  };
  const found = `This is ${names[kind]}, built in ${dir === '' ? 'the root of the repository' : dir}`;
  const expected = appType === 'capacitor' || appType === 'cordova' ? appType : 'native';
  return kind === expected ? found : `${found}; the app is of the type ${appType}, but the files decide`;
}
