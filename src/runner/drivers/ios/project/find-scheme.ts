import { type BuildRun, StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import type { IosProject } from './ios-project.js';

/** What `xcodebuild` is asked to build. */
export interface Scheme {
  readonly scheme: string;
  /** Of the archive action for devices, of the run action for the simulator. */
  readonly configuration: string;
  /** The app target that the scheme builds. */
  readonly target: string;
}

/** The value of `IOS_SCHEME`, checked before the source is there. @throws StepError when it cannot be the name of a scheme */
export function schemeVariable(_run: Pick<BuildRun, 'payload'>): string | null {
  return null;
}

/**
 * Finds the scheme: the one of `IOS_SCHEME`, else the only shared one, else the one called as the app target.
 *
 * @param action `archive`: for devices; `run`: for the simulator
 * @throws StepError when there is none, or several, with their names
 */
export function findScheme(
  _files: ProjectFolder,
  _project: IosProject,
  _run: Pick<BuildRun, 'payload'>,
  _action: 'archive' | 'run',
): Promise<Scheme> {
  throw new StepError('configuration', 'not yet');
}
