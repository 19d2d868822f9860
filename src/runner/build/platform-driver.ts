import type { BuildProject } from './build-project.js';
import type { BuiltFile } from './build-run.js';
import { webDriver } from './web-driver.js';

/**
 * Builds for one platform: runs the commands of the project in the sandbox, then makes files of what they left.
 *
 * @param project with its dependencies
 * @returns what was built, in the folder `artifacts` of the job
 * @throws StepError
 */
export type PlatformDriver = (project: BuildProject) => Promise<readonly BuiltFile[]>;

/** One driver for each platform that this runner builds for. */
export const platformDrivers: Readonly<Partial<Record<string, PlatformDriver>>> = { web: webDriver };
