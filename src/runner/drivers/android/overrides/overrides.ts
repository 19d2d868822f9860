import { join } from 'node:path';
import type { BuildProject } from '../../../steps/build-project.js';
import { applyOverrides } from '../../../steps/overrides/apply-overrides.js';
import { overridesOf, type Overrides } from '../../../steps/overrides/override-values.js';
import type { ApplicationModule } from '../gradle/application-module.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import { type GradleValue, gradleText, valuesOf, withoutComments } from '../gradle/gradle-text.js';
import { type Edit, onlyPlace, type Place, readPlaceFile } from '../../../steps/overrides/places.js';
import { xmlText } from '../../../steps/overrides/xml-text.js';
import { displayNameEdits } from './display-name.js';
import { stringPlaces } from './string-resources.js';

/** Strings in which Capacitor repeats the package name. */
const CAPACITOR_STRINGS = ['package_name', 'custom_url_scheme'];

/** How Gradle files set version codes of single outputs: as older plugins have it, and as newer ones. */
const COMPUTED = /\bversionCodeOverride\b|\bversionCode\.set\b/;

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
  await noteSplits(project, join(moduleDir, module.buildFile), overrides.buildNumber);
}

/** Logs that the version codes of splits are computed: the number of the configuration is only what they follow from. */
async function noteSplits(
  { files, run }: BuildProject,
  path: string,
  buildNumber: number | null,
): Promise<void> {
  if (buildNumber === null) return;
  const [how] = COMPUTED.exec(withoutComments((await readPlaceFile(files, path)) ?? '')) ?? [];
  if (how === undefined) return;
  run.log.line(
    `${path} gives splits their own version codes (${how}), which follow from the build number ${buildNumber}`,
  );
}

/**
 * What changes in the Gradle file of the app.
 *
 * @param moduleDir relative to the working copy
 * @throws StepError when a value has no place, or several
 */
async function gradleEdits(
  files: ProjectFolder,
  moduleDir: string,
  { buildFile }: ApplicationModule,
  { packageName, versionName, buildNumber }: Overrides,
): Promise<Edit[]> {
  const path = join(moduleDir, buildFile);
  const code = withoutComments((await readPlaceFile(files, path)) ?? '');
  const findPlace = (property: string, what: string): Place & GradleValue =>
    onlyPlace(
      valuesOf(code, property).map((value) => ({ ...value, path })),
      what,
      `${path} has no ${property} with a plain value`,
    );
  const edits: Edit[] = [];
  if (packageName !== null) {
    const place = findPlace('applicationId', 'the package name');
    edits.push({ ...place, text: gradleText(packageName, path) });
    edits.push(...(await capacitorEdits(files, moduleDir, place.text, packageName)));
  }
  if (versionName !== null) {
    const place = findPlace('versionName', 'the version');
    edits.push({ ...place, text: gradleText(versionName, path) });
  }
  if (buildNumber !== null) {
    edits.push({ ...findPlace('versionCode', 'the build number'), text: String(buildNumber) });
  }
  return edits;
}

/** The strings that repeat the old name. */
async function capacitorEdits(
  files: ProjectFolder,
  moduleDir: string,
  from: string,
  to: string,
): Promise<Edit[]> {
  const found = await Promise.all(CAPACITOR_STRINGS.map((name) => stringPlaces(files, moduleDir, name)));
  return found
    .flat()
    .filter(({ content }) => content.trim() === from)
    .map((place) => ({ ...place, text: xmlText(to) }));
}
