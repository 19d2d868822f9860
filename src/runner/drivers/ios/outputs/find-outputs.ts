import { join } from 'node:path';
import { StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import { readAppFacts } from './app-facts.js';

const FILE_NAME = /^[^/\\\p{C}]{1,200}$/u;

/** The only file or folder in a folder with such an ending. @throws StepError when there is none, or several, with their names */
export async function findOnly(
  files: ProjectFolder,
  folder: string,
  ending: '.ipa' | '.app',
): Promise<string> {
  const names = await namesOf(files, folder, ending);
  const [only, second] = names;
  if (only !== undefined && second === undefined) return only;
  throw new StepError(
    'output',
    only === undefined
      ? `Xcode made no ${ending.slice(1)}: the scheme builds no app for iOS.`
      : `Xcode made several files ${ending} (${shown(names)}), and a build has one.`,
  );
}

/**
 * The app among those that a scheme has built: app clips and other apps of the project lie beside it.
 *
 * @param bundleId of the app target
 * @throws StepError when there is none
 */
export async function findApp(files: ProjectFolder, folder: string, bundleId: string): Promise<string> {
  const names = await namesOf(files, folder, '.app');
  if (names.length === 1) return findOnly(files, folder, '.app');
  for (const name of names) {
    if ((await readAppFacts(files, join(folder, name))).packageName === bundleId) return name;
  }
  throw new StepError(
    'output',
    names.length === 0
      ? 'Xcode made no app for the simulator: the scheme builds none for iOS.'
      : `None of the apps that Xcode made (${shown(names)}) has the bundle id ${bundleId}.`,
  );
}

/** The names in a folder with such an ending, by name. */
export async function namesOf(files: ProjectFolder, folder: string, ending: string): Promise<string[]> {
  const entries = await files.list('output', folder);
  return entries
    .filter(({ name, isFolder }) => name.endsWith(ending) && isFolder === (ending !== '.ipa'))
    .map(({ name }) => name)
    .filter((name) => FILE_NAME.test(name));
}

function shown(names: readonly string[]): string {
  return names.slice(0, 10).join(', ');
}
