import { basename, join } from 'node:path';
import { StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import type { BuildSettings } from './build-settings.js';
import { field, type Identified, isDictionary, type PbxObject, PbxObjects, textOf } from './pbx-objects.js';
import { embeddedIn, isApp, nameOf, quoted, sdkOf, targetsOf } from './pbx-targets.js';
import { PbxprojFile } from './pbxproj-file.js';
import { isMet, settingNameOf } from './setting-conditions.js';
import { configurationOf, folderOf, targetSettings } from './target-settings.js';

const MAX_FOLDERS = 2000;
const STRINGS = 'InfoPlist.strings';
const CATALOG = 'InfoPlist.xcstrings';
const SYNCHRONIZED = 'PBXFileSystemSynchronizedRootGroup';

/** Large projects have a tenth of that. */
const MAX_BYTES = 8 * 1024 * 1024;
const BUNDLE_ID = /^(?=.{1,200}$)[\w-]+(\.[\w-]+)*$/;

/** A target whose product has a provisioning profile: an app, an app extension, a watch app or an app clip. */
export interface SignableTarget {
  readonly name: string;
  readonly bundleId: string;
  /** It is the app itself; all others are embedded in it. */
  readonly isMain: boolean;
}

/** A project of Xcode, read and changed with `@bacons/xcode`. Nothing is written before `save`. */
export class XcodeProject {
  /** The folder with the project, relative to the working copy. */
  readonly dir: string;
  private isChanged = false;

  private constructor(
    private readonly files: ProjectFolder,
    private readonly file: PbxprojFile,
    private readonly objects: PbxObjects,
    private readonly project: Identified,
    readonly path: string,
  ) {
    this.dir = folderOf(path);
  }

  /**
   * @param path relative to the working copy: `…/App.xcodeproj`
   * @throws StepError when it is no project that can be read
   */
  static async open(files: ProjectFolder, path: string): Promise<XcodeProject> {
    const filePath = join(path, 'project.pbxproj');
    const text = await files.read('configuration', filePath, MAX_BYTES);
    if (text === null) throw new StepError('configuration', `There is no ${filePath}.`);
    const file = PbxprojFile.parse(filePath, text);
    const entries = field(file.root, 'objects');
    const objects = isDictionary(entries) ? new PbxObjects(entries) : null;
    const project = objects?.find(field(file.root, 'rootObject'), 'PBXProject') ?? null;
    if (objects === null || project === null) {
      throw new StepError('configuration', `${filePath} is not a valid project file of Xcode.`);
    }
    return new XcodeProject(files, file, objects, project, path);
  }

  /** The targets that build apps: their ids in the project, and their names. */
  apps(): { readonly id: string; readonly name: string }[] {
    return this.targets()
      .filter((target) => isApp(target))
      .map((target) => ({ id: target.id, name: nameOf(target) }));
  }

  /**
   * The app target and what it embeds, as far as it is signed with a profile.
   *
   * @param appTarget as `findScheme` returns it
   * @throws StepError that names the target when its bundle id cannot be found out
   */
  async signableTargets(configuration: string, appTarget: string): Promise<SignableTarget[]> {
    const app = this.target(appTarget);
    const all = [app, ...embeddedIn(this.objects, this.targets(), app)];
    const found: SignableTarget[] = [];
    for (const target of all) {
      const bundleId = await this.bundleIdOf(target, configuration);
      found.push({ name: nameOf(target), bundleId, isMain: target.id === app.id });
    }
    return found;
  }

  /** The build settings of a target. @throws StepError when it has no such configuration */
  settings(target: string, configuration: string): Promise<BuildSettings> {
    return this.settingsOf(this.target(target), configuration);
  }

  /** The files in which languages translate Info.plist of a target, relative to the working copy. */
  translations(target: string): Promise<string[]> {
    return translationsOf(this.files, this.objects, this.target(target).object, this.dir);
  }

  /**
   * Sets build settings of one configuration of one target, also where it has them with conditions for devices.
   *
   * @throws StepError when it has no such configuration
   */
  setSettings(target: string, configuration: string, settings: Readonly<Record<string, string>>): void {
    const { object, sdk } = this.contextOf(target);
    const found = configurationOf(this.objects, object, configuration);
    const keys = ['objects', found?.id ?? '', 'buildSettings'];
    const existing = this.file.keysAt(keys);
    if (existing === null) {
      throw new StepError(
        'configuration',
        `The target ${quoted(target)} has no settings for the configuration ${quoted(configuration)}.`,
      );
    }
    for (const [name, value] of Object.entries(settings)) this.set(keys, name, value);
    for (const key of existing) {
      const name = settingNameOf(key);
      const value = name === null || name.conditions.length === 0 ? undefined : settings[name.name];
      if (name === null || value === undefined || Object.hasOwn(settings, key)) continue;
      if (isMet(name, { configuration, sdk })) this.set(keys, key, value);
    }
  }

  /** As `setSettings`, for a target that `xcodebuild` then signs by hand: notes of older Xcodes about it follow. */
  setSigning(target: string, configuration: string, settings: Readonly<Record<string, string>>): void {
    this.setSettings(target, configuration, settings);
    const keys = ['objects', this.project.id, 'attributes', 'TargetAttributes', this.target(target).id];
    const existing = this.file.keysAt(keys) ?? [];
    const team = settings['DEVELOPMENT_TEAM'];
    if (existing.includes('ProvisioningStyle')) this.set(keys, 'ProvisioningStyle', 'Manual');
    if (existing.includes('DevelopmentTeam') && team !== undefined) this.set(keys, 'DevelopmentTeam', team);
  }

  /** @throws StepError when what was set cannot be written without changing more */
  verify(): void {
    this.file.verified();
  }

  /** Writes what has changed, and leaves every other line unchanged. @returns whether anything has changed */
  async save(): Promise<boolean> {
    if (!this.isChanged) return false;
    await this.files.write('configuration', this.file.path, this.file.verified());
    this.isChanged = false;
    return true;
  }

  private set(keys: readonly string[], name: string, value: string): void {
    if (this.file.set(keys, name, value)) this.isChanged = true;
  }

  private targets(): Identified[] {
    return targetsOf(this.objects, this.project.object);
  }

  private target(name: string): Identified {
    const found = this.targets().find((target) => nameOf(target) === name);
    if (found !== undefined) return found;
    throw new StepError('configuration', `${this.path} has no target ${quoted(name)}.`);
  }

  private contextOf(name: string): { readonly object: PbxObject; readonly sdk: string } {
    const target = this.target(name);
    return { object: target.object, sdk: sdkOf(target) };
  }

  private settingsOf(target: Identified, configuration: string): Promise<BuildSettings> {
    const { files, objects, dir } = this;
    const name = basename(this.path, '.xcodeproj');
    const source = { files, objects, project: this.project.object, dir, name };
    return targetSettings(source, target, configuration);
  }

  private async bundleIdOf(target: Identified, configuration: string): Promise<string> {
    const settings = await this.settingsOf(target, configuration);
    const bundleId = settings.resolve('PRODUCT_BUNDLE_IDENTIFIER');
    if (bundleId !== null && BUNDLE_ID.test(bundleId)) return bundleId;
    const raw = settings.raw('PRODUCT_BUNDLE_IDENTIFIER');
    throw new StepError(
      'configuration',
      raw === null
        ? `The target ${quoted(nameOf(target))} has no PRODUCT_BUNDLE_IDENTIFIER in the configuration ${quoted(configuration)}.`
        : `The bundle id of the target ${quoted(nameOf(target))} cannot be found out: PRODUCT_BUNDLE_IDENTIFIER is ${quoted(raw)} in the configuration ${quoted(configuration)}.`,
    );
  }
}

/**
 * The files in which languages translate Info.plist of a target: `<language>.lproj/InfoPlist.strings` and `InfoPlist.xcstrings`
 * among its resources, and in the folders that Xcode 16 takes as they are.
 *
 * @param dir with the project, relative to the working copy
 * @throws StepError when there are too many folders
 */
async function translationsOf(
  files: ProjectFolder,
  objects: PbxObjects,
  target: PbxObject,
  dir: string,
): Promise<string[]> {
  const resources = objects
    .findAll(field(target, 'buildPhases'), 'PBXResourcesBuildPhase')
    .flatMap(({ object }) => objects.findAll(field(object, 'files'), 'PBXBuildFile'))
    .flatMap(({ object }) => objects.find(field(object, 'fileRef')) ?? []);
  const found = resources
    .flatMap((resource) => filesOf(objects, resource))
    .filter((path) => isTranslation(path))
    .map((path) => join(dir, path));
  for (const { id } of objects.findAll(field(target, 'fileSystemSynchronizedGroups'), SYNCHRONIZED)) {
    const path = objects.pathOf(id);
    if (path !== null) found.push(...(await translationsIn(files, join(dir, path))));
  }
  return [...new Set(found)];
}

/** A file, or one of each language. */
function filesOf(objects: PbxObjects, { id, object }: Identified): string[] {
  const isGroup = textOf(field(object, 'isa')) === 'PBXVariantGroup';
  const members = isGroup ? objects.findAll(field(object, 'children')) : [{ id }];
  return members.flatMap((member) => objects.pathOf(member.id) ?? []);
}

function isTranslation(path: string): boolean {
  return path.endsWith(`.lproj/${STRINGS}`) || path.split('/').at(-1) === CATALOG;
}

async function translationsIn(files: ProjectFolder, folder: string): Promise<string[]> {
  const found: string[] = [];
  const folders = [folder];
  for (let index = 0; index < folders.length; index++) {
    const current = folders[index] ?? '';
    for (const { name, isFolder } of await files.list('configuration', current)) {
      const path = join(current, name);
      if (isFolder) folders.push(path);
      else if (isTranslation(path)) found.push(path);
    }
    if (folders.length > MAX_FOLDERS) {
      throw new StepError('configuration', `${folder} has more than ${MAX_FOLDERS} folders.`);
    }
  }
  return found;
}
