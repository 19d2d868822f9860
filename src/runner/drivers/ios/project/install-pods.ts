import { join } from 'node:path';
import type { BuildOptions } from '../../../steps/build-options.js';
import type { BuildProject } from '../../../steps/build-project.js';
import { StepError } from '../../../steps/build-run.js';
import { cacheFolder } from '../../../steps/caches/cache-parts.js';
import { findTool } from '../../../steps/tools/find-tool.js';
import type { Xcode } from '../../../steps/tools/xcodes.js';
import type { IosFolder, IosProject } from './ios-project.js';
import { xcodeVariables } from '../xcode/xcode-environment.js';

const MAX_GEMFILE_BYTES = 1024 * 1024;
const NAMES_PODS = /^\s*gem\s*\(?\s*['"]cocoapods['"]/m;

const MAX_LOCK_BYTES = 8 * 1024 ** 2;

/** What CocoaPods gets, also when Capacitor or Cordova start it. */
export function podVariables({ run }: BuildProject, xcode: Xcode): Record<string, string> {
  return {
    ...xcodeVariables(xcode),
    CP_HOME_DIR: cacheFolder(run.sandbox.inner.cache, 'pods'),
    COCOAPODS_DISABLE_STATS: 'true',
    // Not in the folder of all programs of the machine.
    BUNDLE_PATH: `${run.sandbox.inner.home}/bundle`,
  };
}

/**
 * Installs the CocoaPods that a Gemfile names, before Capacitor and Cordova start it.
 *
 * @throws StepError when that fails
 */
export async function installGems(
  project: BuildProject,
  { dir }: IosFolder,
  xcode: Xcode,
  { toolsDir }: BuildOptions,
): Promise<void> {
  const folder = await findGemfile(project, dir);
  if (folder === null) return;
  if ((await findTool('bundle', toolsDir)) === null) {
    throw new StepError(
      'native',
      `${join(folder, 'Gemfile')} names cocoapods, but this runner has no program "bundle": its operator installs Ruby, or sets RUNNER_TOOLS_DIR.`,
    );
  }
  await project.executeProgram('native', 'Installing CocoaPods', ['bundle', 'install'], {
    cwd: folder,
    env: podVariables(project, xcode),
  });
}

/**
 * Installs the pods of a project with a Podfile, unless Capacitor or Cordova have done so.
 *
 * @throws StepError when that fails
 */
export async function installPods(
  project: BuildProject,
  ios: IosProject,
  xcode: Xcode,
  { toolsDir }: BuildOptions,
): Promise<void> {
  if (!ios.hasPodfile) return;
  if (ios.kind !== 'native' && (await arePodsInSync(project, ios))) return;
  const hasGems = (await findGemfile(project, ios.dir)) !== null;
  if (!hasGems && (await findTool('pod', toolsDir)) === null) {
    throw new StepError(
      'native',
      'The project has a Podfile, but this runner has no program "pod": its operator installs CocoaPods, or sets RUNNER_TOOLS_DIR.',
    );
  }
  const command = hasGems ? (['bundle', 'exec', 'pod', 'install'] as const) : (['pod', 'install'] as const);
  await project.executeProgram('native', 'Installing pods', command, {
    cwd: ios.dir,
    env: podVariables(project, xcode),
  });
  if (await arePodsInSync(project, ios)) return;
  throw new StepError(
    'native',
    `After "pod install", ${join(ios.dir, 'Pods/Manifest.lock')} is not the same as Podfile.lock: commit no part of the folder Pods.`,
  );
}

/** Xcode does not build otherwise: a phase of each project that CocoaPods has changed compares the files. */
async function arePodsInSync({ files }: BuildProject, { dir }: IosProject): Promise<boolean> {
  const lock = await files.read('native', join(dir, 'Podfile.lock'), MAX_LOCK_BYTES);
  return (
    lock !== null && lock === (await files.read('native', join(dir, 'Pods/Manifest.lock'), MAX_LOCK_BYTES))
  );
}

/**
 * The folder with a Gemfile that names CocoaPods, and its lock file: then the project decides about the version of CocoaPods.
 *
 * @param dir of the Xcode project, relative to the working copy
 * @returns `null`: the CocoaPods of the machine is used
 */
async function findGemfile({ files, config }: BuildProject, dir: string): Promise<string | null> {
  for (const folder of new Set([dir, config.baseDir])) {
    const gemfile = await files.read('native', join(folder, 'Gemfile'), MAX_GEMFILE_BYTES);
    if (gemfile === null || !NAMES_PODS.test(gemfile)) continue;
    if ((await files.resolve('native', join(folder, 'Gemfile.lock'))) !== null) return folder;
  }
  return null;
}
