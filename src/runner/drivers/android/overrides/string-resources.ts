import { join } from 'node:path';
import { StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import { type Place, readPlaceFile } from '../../../steps/overrides/places.js';
import { attributeOf, tagsOf } from '../../../steps/overrides/xml-tags.js';

const MAX_FILES = 2000;
/** Source sets of tests, which no app contains. */
const TESTS = /^(test|androidTest)/;

/** The content of a string resource. */
export interface StringPlace extends Place {
  readonly content: string;
}

/**
 * The places of a string: in `src/<any source set>/res/values…/` of a module, also those of languages and flavors.
 *
 * @param moduleDir relative to the working copy
 * @throws StepError when there are too many files
 */
export async function stringPlaces(
  files: ProjectFolder,
  moduleDir: string,
  name: string,
): Promise<StringPlace[]> {
  const found: StringPlace[] = [];
  for (const path of await valueFiles(files, moduleDir)) {
    const xml = (await readPlaceFile(files, path)) ?? '';
    let start: number | null = null;
    for (const tag of tagsOf(xml)) {
      if (tag.name !== 'string') continue;
      if (tag.kind === 'close' && start !== null) {
        found.push({ path, start, end: tag.start, content: xml.slice(start, tag.start) });
      }
      const isNamed = tag.kind === 'open' && attributeOf(tag, 'name')?.value === name;
      start = isNamed ? tag.end : null;
    }
  }
  return found;
}

async function valueFiles(files: ProjectFolder, moduleDir: string): Promise<string[]> {
  const sources = join(moduleDir, 'src');
  const found: string[] = [];
  for (const set of await namesIn(files, sources, true)) {
    if (TESTS.test(set)) continue;
    const resources = join(sources, set, 'res');
    for (const folder of await namesIn(files, resources, true)) {
      if (!/^values(-|$)/.test(folder)) continue;
      const names = await namesIn(files, join(resources, folder), false);
      found.push(
        ...names.filter((name) => name.endsWith('.xml')).map((name) => join(resources, folder, name)),
      );
      if (found.length > MAX_FILES) {
        throw new StepError('configuration', `${sources} has more than ${MAX_FILES} files with values.`);
      }
    }
  }
  return found;
}

async function namesIn(files: ProjectFolder, path: string, areFolders: boolean): Promise<string[]> {
  const entries = await files.list('configuration', path);
  return entries.filter(({ isFolder }) => isFolder === areFolders).map(({ name }) => name);
}
