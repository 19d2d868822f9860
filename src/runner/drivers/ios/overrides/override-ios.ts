import type { BuildProject } from '../../../steps/build-project.js';
import { StepError } from '../../../steps/build-run.js';
import { logOverrides } from '../../../steps/overrides/apply-overrides.js';
import { type Overrides, overridesOf } from '../../../steps/overrides/override-values.js';
import type { Scheme } from '../project/find-scheme.js';
import type { IosProject } from '../project/ios-project.js';
import { XcodeProject } from '../xcode-project/xcode-project.js';
import { setBundleIds } from './bundle-ids.js';
import { setDisplayName } from './display-name.js';
import { TargetFilesReader } from './target-files.js';
import { BUILD_NUMBER, setVersions, VERSION_NAME } from './versions.js';

/**
 * Puts the values of the configuration into an Xcode project that Capacitor has filled or that is native, or changes nothing. Only
 * the build configuration of the scheme changes. For Cordova, `overrideCordova(project, 'ios')` comes before `cordova prepare`.
 *
 * @throws StepError when a value has no place, or several
 */
export async function overrideIos(
  { files, run }: BuildProject,
  { projectPath }: IosProject,
  { configuration, target }: Scheme,
): Promise<void> {
  const overrides = overridesOf(run.payload);
  if (overrides === null) return;
  requireNoVariables(overrides);
  const project = await XcodeProject.open(files, projectPath);
  const reader = new TargetFilesReader(files, project, configuration);
  const targets = [];
  for (const signable of await project.signableTargets(configuration, target)) {
    targets.push(await reader.read(signable));
  }
  const app = targets.find(({ isMain }) => isMain);
  if (app === undefined || (app.infoPlist === null && !app.isGenerated)) {
    throw new StepError(
      'configuration',
      `The target ${JSON.stringify(target.slice(0, 200))} has no Info.plist: neither INFOPLIST_FILE nor GENERATE_INFOPLIST_FILE is set in the configuration ${JSON.stringify(configuration.slice(0, 200))}.`,
    );
  }
  const { displayName, packageName, versionName, buildNumber } = overrides;
  if (displayName !== null) await setDisplayName(files, project, configuration, app, displayName);
  if (versionName !== null) setVersions(project, configuration, targets, VERSION_NAME, versionName, run.log);
  if (buildNumber !== null) {
    setVersions(project, configuration, targets, BUILD_NUMBER, String(buildNumber), run.log);
  }
  if (packageName !== null) setBundleIds(project, configuration, targets, packageName, run.log);
  await save(project, reader, (paths) => logOverrides(run, overrides, paths));
}

/** Nothing is written before everything is known to work. */
async function save(
  project: XcodeProject,
  { all, files }: TargetFilesReader,
  log: (paths: readonly string[]) => void,
): Promise<void> {
  project.verify();
  const changed = all.filter(({ isChanged }) => isChanged);
  for (const file of changed) await file.save(files);
  const isProjectChanged = await project.save();
  log([...(isProjectChanged ? [project.path] : []), ...changed.map(({ path }) => path)]);
}

/** Xcode reads `$(…)` as a variable everywhere. @throws StepError */
function requireNoVariables(overrides: Overrides): void {
  const value = Object.values(overrides).find((text) => typeof text === 'string' && /\$[({]/.test(text));
  if (value === undefined) return;
  throw new StepError(
    'configuration',
    `The configuration has the value ${JSON.stringify(value)}, which Xcode reads as a variable.`,
  );
}
