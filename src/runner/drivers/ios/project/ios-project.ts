import { join } from 'node:path';
import type { PayloadAppDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
import { StepError } from '../../../steps/build-run.js';
import {
  capacitorDir,
  describeProject,
  findProjectKind,
  findWebBuildOf,
  isIn,
  type NativeProjectKind,
} from '../../../steps/project/native-project.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import { projectsIn } from './workspace-projects.js';
import { onlyName, xcodeNames } from './xcode-names.js';

const CORDOVA_DIR = 'platforms/ios';
/** Where Capacitor has the project, below its folder for iOS, and what it calls it. */
const CAPACITOR = { dir: 'App', name: 'App' } as const;
const NATIVE_DIRS = ['.', 'ios'];

/** The folder of the iOS project in a working copy. */
export interface IosFolder {
  readonly kind: NativeProjectKind;
  /** Where the project is, relative to the working copy. Cordova makes it. */
  readonly dir: string;
}

/** The iOS project in a working copy. Paths are relative to it. */
export interface IosProject extends IosFolder {
  /** Such as `ios/App/App.xcodeproj`. */
  readonly projectPath: string;
  /** What `xcodebuild` builds instead of the project; with CocoaPods it may be missing before `pod install`. */
  readonly workspacePath: string | null;
  /** There is a Podfile in `dir`. */
  readonly hasPodfile: boolean;
}

/**
 * Finds out from the files what kind of project it is. Needs the checkout only.
 *
 * @param baseDir relative to the working copy
 * @throws StepError when it is none, with what to do
 */
export async function findIosFolder(files: ProjectFolder, baseDir: string): Promise<IosFolder> {
  const kind = await findProjectKind(files, baseDir);
  if (kind === 'capacitor') {
    return { kind, dir: join(await capacitorDir(files, baseDir, 'ios'), CAPACITOR.dir) };
  }
  if (kind === 'cordova') return { kind, dir: join(baseDir, CORDOVA_DIR) };
  for (const folder of NATIVE_DIRS) {
    const dir = join(baseDir, folder).replace(/^\.$/, '');
    const { projects, workspaces } = await xcodeNames(files, dir);
    if (projects.length + workspaces.length > 0) return { kind, dir };
  }
  throw new StepError(
    'configuration',
    `${baseDir === '' ? 'The repository' : baseDir} has no iOS project (no folder "ios", no .xcodeproj or .xcworkspace, no config.xml of Cordova): run "npx cap add ios" and commit it, or set "baseDir" in capawesome.config.json.`,
  );
}

/**
 * Finds the Xcode project and the workspace, after Capacitor or Cordova have filled them.
 *
 * @throws StepError when there is none, or several
 */
export async function findIosProject(files: ProjectFolder, folder: IosFolder): Promise<IosProject> {
  const { kind, dir } = folder;
  const { projects, workspaces } = await xcodeNames(files, dir);
  const hasPodfile = await isIn(files, dir)('Podfile');
  const preferred =
    kind === 'capacitor' ? CAPACITOR.name : workspaces.length === 1 ? workspaces[0] : undefined;
  const name = onlyName(dir, 'Xcode project', projects, preferred);
  if (name === null) return inWorkspace(files, folder, workspaces, hasPodfile);
  const projectPath = join(dir, `${name}.xcodeproj`);
  // What Capacitor builds without CocoaPods has no workspace: one that is left belongs to CocoaPods.
  const known = kind === 'capacitor' && !hasPodfile ? [] : workspaces;
  const workspace = onlyName(dir, 'workspace', known, name) ?? (hasPodfile ? name : null);
  const workspacePath = workspace === null ? null : join(dir, `${workspace}.xcworkspace`);
  return { ...folder, projectPath, workspacePath, hasPodfile };
}

/** A workspace whose projects are in other folders. */
async function inWorkspace(
  files: ProjectFolder,
  folder: IosFolder,
  workspaces: readonly string[],
  hasPodfile: boolean,
): Promise<IosProject> {
  const { kind, dir } = folder;
  const workspace = kind === 'native' ? onlyName(dir, 'workspace', workspaces) : null;
  if (workspace === null) {
    throw new StepError(
      'configuration',
      kind === 'cordova'
        ? `There is no Xcode project in ${dir}: run "npx cordova platform add ios", which writes the platform to package.json, and commit that.`
        : `There is no Xcode project in ${dir}: commit the folder as "npx cap add ios" makes it.`,
    );
  }
  const workspacePath = join(dir, `${workspace}.xcworkspace`);
  const paths = await projectsIn(files, workspacePath);
  const [projectPath] = paths;
  if (projectPath === undefined || paths.length > 1) {
    const names = paths.map((path) => JSON.stringify(path.slice(0, 200))).slice(0, 10);
    throw new StepError(
      'configuration',
      paths.length === 0
        ? `${workspacePath} names no Xcode project of this repository.`
        : `${workspacePath} has several Xcode projects (${names.join(', ')}): set "baseDir" in capawesome.config.json to the folder with the one to build.`,
    );
  }
  return { ...folder, projectPath, workspacePath, hasPodfile };
}

/** As `FindWebBuild`. */
export async function findIosWebBuild(files: ProjectFolder, baseDir: string): Promise<string | null> {
  const { kind } = await findIosFolder(files, baseDir);
  return findWebBuildOf(kind, files, baseDir);
}

/** For the log. */
export function describeIosProject({ kind, dir }: IosFolder, appType: PayloadAppDto['type']): string {
  return describeProject(kind, dir, 'ios', appType);
}
