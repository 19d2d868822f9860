import { join } from 'node:path';
import type { BuildProject } from '../../../steps/build-project.js';
import { applyOverrides } from '../../../steps/overrides/apply-overrides.js';
import { overridesOf } from '../../../steps/overrides/override-values.js';
import type { ApplicationModule } from '../gradle/application-module.js';
import { displayNameEdits } from './display-name.js';
import { gradleEdits } from './gradle-overrides.js';

/**
 * Puts the values of the configuration into a Gradle project, or changes nothing.
 *
 * @param gradleDir relative to the working copy
 * @throws StepError when a value has no place, or several
 */
export async function overrideGradle(
  project: BuildProject,
  gradleDir: string,
  module: ApplicationModule,
): Promise<void> {
  const overrides = overridesOf(project.run.payload);
  if (overrides === null) return;
  const moduleDir = join(gradleDir, module.dir);
  const { displayName } = overrides;
  await applyOverrides(project, overrides, [
    ...(await gradleEdits(project.files, moduleDir, module, overrides)),
    ...(displayName === null ? [] : await displayNameEdits(project.files, moduleDir, displayName)),
  ]);
}
