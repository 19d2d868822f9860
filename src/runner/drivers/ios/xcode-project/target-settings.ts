import { dirname, join } from 'node:path';
import { StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import { BuildSettings, type SettingLevel } from './build-settings.js';
import {
  field,
  type Identified,
  isDictionary,
  type PbxObject,
  type PbxObjects,
  textOf,
} from './pbx-objects.js';
import { nameOf, quoted, sdkOf } from './pbx-targets.js';
import { parseSettings } from './xcode-files.js';

const MAX_BYTES = 256 * 1024;
const MAX_FILES = 100;
const MAX_DEPTH = 16;

/** A project, as far as settings need it. */
export interface SettingsSource {
  readonly files: ProjectFolder;
  readonly objects: PbxObjects;
  readonly project: PbxObject;
  /** The folder with the project, relative to the working copy. */
  readonly dir: string;
  readonly name: string;
}

/**
 * The settings of a target: its own, those of its file, and then those of the project.
 *
 * @throws StepError when it has no such configuration
 */
export async function targetSettings(
  source: SettingsSource,
  target: Identified,
  configuration: string,
): Promise<BuildSettings> {
  const own = configurationOf(source.objects, target.object, configuration);
  if (own === null) throw noConfiguration(source.objects, target, configuration);
  const shared = configurationOf(source.objects, source.project, configuration);
  const sdk = sdkOf(target);
  const levels: SettingLevel[] = [];
  for (const found of [own, shared]) {
    if (found === null) continue;
    levels.push(settingsIn(found.object));
    const path = xcconfigOf(source, found.object);
    if (path !== null) levels.push(await readXcconfig(source.files, path));
  }
  levels.push(Object.entries(givenByXcode(source.name, nameOf(target), configuration, sdk)));
  return new BuildSettings(levels, { configuration, sdk });
}

/** The settings of one name of a target or a project. @returns `null`: there are none */
export function configurationOf(objects: PbxObjects, owner: PbxObject, name: string): Identified | null {
  const all = configurationsOf(objects, owner);
  return all.find(({ object }) => textOf(field(object, 'name')) === name) ?? null;
}

function configurationsOf(objects: PbxObjects, owner: PbxObject): Identified[] {
  const list = objects.find(field(owner, 'buildConfigurationList'), 'XCConfigurationList');
  return list === null
    ? []
    : objects.findAll(field(list.object, 'buildConfigurations'), 'XCBuildConfiguration');
}

function noConfiguration(objects: PbxObjects, target: Identified, configuration: string): StepError {
  const names = configurationsOf(objects, target.object)
    .map(({ object }) => quoted(textOf(field(object, 'name')) ?? ''))
    .slice(0, 20);
  return new StepError(
    'configuration',
    `The target ${quoted(nameOf(target))} has no configuration ${quoted(configuration)}${names.length === 0 ? '' : `, but ${names.join(', ')}`}.`,
  );
}

function settingsIn(configuration: PbxObject): SettingLevel {
  const settings = field(configuration, 'buildSettings');
  if (!isDictionary(settings)) return [];
  return Object.entries(settings).flatMap(([name, value]) => {
    const text = Array.isArray(value) ? value.map((part) => textOf(part) ?? '').join(' ') : textOf(value);
    return text === null ? [] : [[name, text] as const];
  });
}

/** The file of a configuration: an object of the project, or since Xcode 16 a path in a folder. */
function xcconfigOf({ objects, dir }: SettingsSource, configuration: PbxObject): string | null {
  const reference = textOf(field(configuration, 'baseConfigurationReference'));
  const anchor = textOf(field(configuration, 'baseConfigurationReferenceAnchor'));
  const path = objects.pathOf(reference ?? anchor ?? '');
  if (path === null) return null;
  const rest = textOf(field(configuration, 'baseConfigurationReferenceRelativePath'));
  return join(dir, path, reference === null ? (rest ?? '') : '');
}

/** What Xcode sets itself. Paths are relative to the folder with the project. */
function givenByXcode(
  project: string,
  target: string,
  configuration: string,
  sdk: string,
): Record<string, string> {
  return {
    CONFIGURATION: configuration,
    EFFECTIVE_PLATFORM_NAME: `-${sdk}`,
    PLATFORM_NAME: sdk,
    PRODUCT_MODULE_NAME: '$(PRODUCT_NAME:c99extidentifier)',
    PRODUCT_NAME: '$(TARGET_NAME)',
    PROJECT_DIR: '.',
    PROJECT_NAME: project,
    SOURCE_ROOT: '.',
    SRCROOT: '.',
    TARGETNAME: target,
    TARGET_NAME: target,
  };
}

/** @param path of the project: `…/App.xcodeproj` */
export function folderOf(path: string): string {
  const dir = dirname(path);
  return dir === '.' ? '' : dir;
}

/**
 * The settings of a file `.xcconfig` and of those that it includes, in their order. A file that is not there says nothing: those
 * of CocoaPods are made later.
 *
 * @param path relative to the working copy
 * @throws StepError when one leads out of the working copy, or there are too many
 */
async function readXcconfig(files: ProjectFolder, path: string): Promise<SettingLevel> {
  const settings: (readonly [string, string])[] = [];
  let count = 0;
  const read = async (current: string, open: readonly string[]): Promise<void> => {
    if (open.includes(current)) return;
    if (++count > MAX_FILES || open.length > MAX_DEPTH) {
      throw new StepError(
        'configuration',
        `${path} includes more than ${MAX_FILES} files, or more than ${MAX_DEPTH} in each other.`,
      );
    }
    const text = (await files.read('configuration', current, MAX_BYTES)) ?? '';
    for (const line of text.split('\n')) {
      // Line by line: what comes later wins, also over what was included before it.
      const { includes, buildSettings } = parseSettings(line);
      for (const { include } of includes)
        await read(join(dirname(current), include.path), [...open, current]);
      for (const { key, value, conditions = [] } of buildSettings) {
        const suffix = conditions.flatMap((condition) =>
          Object.entries(condition).map(([name, pattern]) => `[${name}=${pattern}]`),
        );
        settings.push([`${key}${suffix.join('')}`, value]);
      }
    }
  };
  await read(path, []);
  return settings;
}
