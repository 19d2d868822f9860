import type { BuildProject } from '../../../steps/build-project.js';
import { overridesOf } from '../../../steps/overrides/override-values.js';
import { StepError } from '../../../steps/build-run.js';
import type { Scheme } from '../project/find-scheme.js';
import type { IosProject } from '../project/ios-project.js';

/**
 * Puts the values of the configuration into an Xcode project that Capacitor has filled or that is native, or changes nothing.
 * For Cordova, `overrideCordova(project, 'ios')` comes before `cordova prepare`.
 *
 * @throws StepError when a value has no place
 */
export async function overrideIos(project: BuildProject, _ios: IosProject, _scheme: Scheme): Promise<void> {
  if (overridesOf(project.run.payload) === null) return;
  await Promise.reject(new StepError('configuration', 'not yet'));
}
