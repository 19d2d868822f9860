import { join } from 'node:path';
import type { BuildProject } from '../../../steps/build-project.js';
import type { ApplicationModule } from '../gradle/application-module.js';
import { cordovaEdits } from './cordova-overrides.js';
import { displayNameEdits } from './display-name.js';
import { gradleEdits } from './gradle-overrides.js';
import { type Overrides, overridesOf } from './override-values.js';
import { applyEdits, type Edit } from './places.js';

const TITLES: Readonly<Record<keyof Overrides, string>> = {
  displayName: 'name of the app',
  packageName: 'package name',
  versionName: 'version',
  buildNumber: 'build number',
};

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
  await override(project, overrides, [
    ...(await gradleEdits(project.files, moduleDir, module, overrides)),
    ...(displayName === null ? [] : await displayNameEdits(project.files, moduleDir, displayName)),
  ]);
}

/** Puts them into config.xml of Cordova. As `overrideGradle`. */
export async function overrideCordova(project: BuildProject): Promise<void> {
  const overrides = overridesOf(project.run.payload);
  if (overrides === null) return;
  const edits = await cordovaEdits(project.files, project.config.baseDir, overrides);
  await override(project, overrides, edits);
}

async function override(
  { files, run }: BuildProject,
  overrides: Overrides,
  edits: readonly Edit[],
): Promise<void> {
  await applyEdits(files, edits);
  const paths = [...new Set(edits.map(({ path }) => path))].join(', ');
  for (const [key, title] of Object.entries(TITLES)) {
    const value = overrides[key as keyof Overrides];
    if (value !== null) run.log.line(`The configuration sets the ${title}: ${value}`);
  }
  run.log.line(`Changed ${paths}`);
}
