import { join, dirname } from 'node:path';
import type { PayloadAppDto } from '../../../../native-builds/runner-builds/build-payload.dto.js';
import { StepError } from '../../../steps/build-run.js';
import type { CapacitorConfig } from '../../../steps/project/capacitor-config.js';
import {
  capacitorDir,
  describeProject,
  findProjectKind,
  findWebBuildOf,
  isIn,
  type NativeProjectKind,
} from '../../../steps/project/native-project.js';
import type { FindWebBuild } from '../../../steps/project/project-config.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import { attributeOf, tagsOf } from '../../../steps/overrides/xml-tags.js';
import { textOfXml } from '../../../steps/overrides/xml-text.js';

const PROJECT = '.xcodeproj';
const WORKSPACE = '.xcworkspace';

/** What CocoaPods makes beside the project. */
const PODS = 'Pods';

/** What Xcode opens in a folder, by name without its ending. */
interface XcodeNames {
  readonly projects: readonly string[];
  readonly workspaces: readonly string[];
}

const MAX_BYTES = 1024 * 1024;
const MAX_PROJECTS = 1000;

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
 * @param config as `read` of `capacitorDir`
 * @throws StepError when it is none, with what to do
 */
export async function findIosFolder(
  files: ProjectFolder,
  baseDir: string,
  config: CapacitorConfig | null = null,
): Promise<IosFolder> {
  const kind = await findProjectKind(files, baseDir);
  if (kind === 'capacitor') {
    return { kind, dir: join(await capacitorDir(files, baseDir, 'ios', config), CAPACITOR.dir) };
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
export const findIosWebBuild: FindWebBuild = async (files, baseDir, manager) => {
  const { kind } = await findIosFolder(files, baseDir);
  return findWebBuildOf(kind, files, baseDir, manager);
};

/** For the log. */
export function describeIosProject({ kind, dir }: IosFolder, appType: PayloadAppDto['type']): string {
  return describeProject(kind, dir, 'ios', appType);
}

/**
 * The projects that a workspace names, but not that of CocoaPods.
 *
 * @param path of the workspace, relative to the working copy
 * @returns paths relative to the working copy
 */
async function projectsIn(files: ProjectFolder, path: string): Promise<string[]> {
  const file = join(path, 'contents.xcworkspacedata');
  const xml = (await files.read('configuration', file, MAX_BYTES)) ?? '';
  const groups: string[] = [];
  const found = new Set<string>();
  for (const tag of tagsOf(xml)) {
    if (tag.name === 'Group' && tag.kind === 'close') groups.pop();
    if (tag.kind === 'close' || (tag.name !== 'Group' && tag.name !== 'FileRef')) continue;
    const location = textOfXml(attributeOf(tag, 'location')?.value ?? '');
    const target = locate(location, dirname(path), groups.at(-1) ?? dirname(path));
    if (tag.name === 'Group' && tag.kind === 'open') groups.push(target ?? dirname(path));
    const isProject = target?.endsWith('.xcodeproj') === true && !target.endsWith('/Pods.xcodeproj');
    if (tag.name === 'FileRef' && isProject && found.size < MAX_PROJECTS) found.add(target);
  }
  return [...found];
}

/** @returns `null`: it is elsewhere on the machine of its author */
function locate(location: string, workspace: string, group: string): string | null {
  const separator = location.indexOf(':');
  const [scheme, path] = [location.slice(0, separator), location.slice(separator + 1)];
  if (scheme === 'container') return join(workspace, path);
  return scheme === 'group' ? join(group, path) : null;
}

/** @param dir relative to the working copy @throws StepError when it leaves the working copy */
async function xcodeNames(files: ProjectFolder, dir: string): Promise<XcodeNames> {
  const entries = await files.list('configuration', dir);
  const ending = (suffix: string): string[] =>
    entries
      .filter(({ name, isFolder }) => isFolder && name.endsWith(suffix))
      .map(({ name }) => name.slice(0, -suffix.length))
      .filter((name) => name !== PODS && name !== '');
  return { projects: ending(PROJECT), workspaces: ending(WORKSPACE) };
}

/**
 * The only name, or of several the preferred one.
 *
 * @param what such as `workspace`
 * @returns `null`: there is none
 * @throws StepError that names them
 */
function onlyName(dir: string, what: string, names: readonly string[], preferred?: string): string | null {
  if (preferred !== undefined && names.includes(preferred)) return preferred;
  const [only] = names;
  if (only === undefined || names.length === 1) return only ?? null;
  const shown = names.slice(0, 10).map((name) => JSON.stringify(name.slice(0, 200)));
  throw new StepError(
    'configuration',
    `${dir === '' ? 'The repository' : dir} has several of what Xcode can open, and none decides: the ${what}s ${shown.join(', ')}. Keep one, or give the project and the workspace to build the same name.`,
  );
}
