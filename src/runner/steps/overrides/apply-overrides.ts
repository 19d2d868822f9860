import type { BuildProject } from '../build-project.js';
import type { BuildRun } from '../build-run.js';
import { type CordovaPlatform, cordovaEdits } from './cordova-overrides.js';
import { type Overrides, overridesOf } from './override-values.js';
import { applyEdits, type Edit } from './places.js';

const TITLES: Readonly<Record<keyof Overrides, string>> = {
  displayName: 'name of the app',
  packageName: 'package name',
  versionName: 'version',
  buildNumber: 'build number',
};

/** Puts the values of the configuration into config.xml of Cordova, or changes nothing. @throws StepError when a value has no place, or several */
export async function overrideCordova(project: BuildProject, platform: CordovaPlatform): Promise<void> {
  const overrides = overridesOf(project.run.payload);
  if (overrides === null) return;
  const { files, config, run } = project;
  await applyOverrides(
    { files, run },
    overrides,
    await cordovaEdits(files, config.baseDir, platform, overrides),
  );
}

/** Writes all edits, and logs what they set. */
export async function applyOverrides(
  { files, run }: Pick<BuildProject, 'files' | 'run'>,
  overrides: Overrides,
  edits: readonly Edit[],
): Promise<void> {
  await applyEdits(files, edits);
  logOverrides(
    run,
    overrides,
    edits.map(({ path }) => path),
  );
}

/** Logs which values the configuration has set. @param paths of the files that have changed */
export function logOverrides(
  { log }: Pick<BuildRun, 'log'>,
  overrides: Overrides,
  paths: readonly string[],
): void {
  for (const [key, title] of Object.entries(TITLES)) {
    const value = overrides[key as keyof Overrides];
    if (value !== null) log.line(`The configuration sets the ${title}: ${value}`);
  }
  if (paths.length > 0) log.line(`Changed ${[...new Set(paths)].join(', ')}`);
}
