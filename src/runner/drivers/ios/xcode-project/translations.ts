import { join } from 'node:path';
import { StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import { field, type Identified, type PbxObject, type PbxObjects, textOf } from './pbx-objects.js';

const MAX_FOLDERS = 2000;
const STRINGS = 'InfoPlist.strings';
const CATALOG = 'InfoPlist.xcstrings';
const SYNCHRONIZED = 'PBXFileSystemSynchronizedRootGroup';

/**
 * The files in which languages translate Info.plist of a target: `<language>.lproj/InfoPlist.strings` and `InfoPlist.xcstrings`
 * among its resources, and in the folders that Xcode 16 takes as they are.
 *
 * @param dir with the project, relative to the working copy
 * @throws StepError when there are too many folders
 */
export async function translationsOf(
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
