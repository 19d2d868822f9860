import { stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { BuildProject } from './build-project.js';
import { StepError } from './build-run.js';
import { inStep } from './machine-errors.js';
import { requireSubmodules } from './source/project-source.js';
import { type CapacitorConfig, readCapacitorConfig } from './project/capacitor-config.js';
import type { NativeProjectKind } from './project/native-project.js';

/** Where Cordova always has its web assets, and Capacitor without `webDir`. */
const DEFAULT_DIR = 'www';

/** Runs the web step of a project, if it has one. @throws StepError when it fails, or the project is not complete */
export async function buildWebAssets(project: BuildProject): Promise<void> {
  await inStep('source', () => requireSubmodules(project.source, project.files));
  const { webBuildCommand, webBuildDir } = project.config;
  if (webBuildCommand === null) return;
  await inStep('build', () => project.execute('build', 'Building', webBuildCommand, { cwd: webBuildDir }));
}

/**
 * As `buildWebAssets`, for the assets of a native project.
 *
 * @returns the configuration of Capacitor; `null`: the project has none
 * @throws StepError also when the assets were there before the build
 */
export async function buildNativeAssets(
  project: BuildProject,
  kind: NativeProjectKind,
): Promise<CapacitorConfig | null> {
  await buildWebAssets(project);
  if (kind === 'native') return null;
  const config =
    kind === 'capacitor'
      ? await inStep('configuration', () => readCapacitorConfig(project, 'configuration'))
      : null;
  const dir = config?.webDir ?? DEFAULT_DIR;
  await inStep('output', async () => {
    // Capacitor and Cordova say themselves what is missing.
    if ((await isWritten(project, dir)) === false) throw notWritten(project, [dir]);
  });
  return config;
}

/**
 * Whether this build has written a folder of web assets. Without a web command that does something, what is there counts.
 *
 * @param dir relative to `baseDir`
 * @returns `null`: there is no such folder
 */
export async function isWritten(
  { files, config, startedAt }: BuildProject,
  dir: string,
): Promise<boolean | null> {
  const path = join(config.baseDir, dir);
  const found = await files.resolve('output', path);
  if (found === null || !(await stat(found)).isDirectory()) return null;
  if (!config.hasWebBuild) return true;
  const parent = await files.resolve('output', dirname(path));
  return startedAt.isBeforeContentOf(parent === null ? found : join(parent, basename(path)));
}

/** @param dirs relative to `baseDir` */
export function notWritten({ config }: BuildProject, dirs: readonly string[]): StepError {
  const shown = dirs.map((dir) => JSON.stringify(dir.slice(0, 200))).join(', ');
  const command = (config.webBuildCommand ?? '').trim().replaceAll(/\s+/g, ' ').slice(0, 200);
  return new StepError(
    'output',
    `The command "${command}" wrote nothing to ${shown}, so what is there is older than this build: correct "webDir" or the command, or set "webBuildCommand" to "true" in capawesome.config.json to publish the folder as it is.`,
  );
}
