import { StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';

const PROJECT = '.xcodeproj';
const WORKSPACE = '.xcworkspace';
/** What CocoaPods makes beside the project. */
const PODS = 'Pods';

/** What Xcode opens in a folder, by name without its ending. */
export interface XcodeNames {
  readonly projects: readonly string[];
  readonly workspaces: readonly string[];
}

/** @param dir relative to the working copy @throws StepError when it leaves the working copy */
export async function xcodeNames(files: ProjectFolder, dir: string): Promise<XcodeNames> {
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
export function onlyName(
  dir: string,
  what: string,
  names: readonly string[],
  preferred?: string,
): string | null {
  if (preferred !== undefined && names.includes(preferred)) return preferred;
  const [only] = names;
  if (only === undefined || names.length === 1) return only ?? null;
  const shown = names.slice(0, 10).map((name) => JSON.stringify(name.slice(0, 200)));
  throw new StepError(
    'configuration',
    `${dir === '' ? 'The repository' : dir} has several of what Xcode can open, and none decides: the ${what}s ${shown.join(', ')}. Keep one, or give the project and the workspace to build the same name.`,
  );
}
