import { join } from 'node:path';
import type { BuildProject } from '../../../steps/build-project.js';

const MAX_BYTES = 1024 * 1024;
const NAMES_PODS = /^\s*gem\s*\(?\s*['"]cocoapods['"]/m;

/**
 * The folder with a Gemfile that names CocoaPods, and its lock file: then the project decides about the version of CocoaPods.
 *
 * @param dir of the Xcode project, relative to the working copy
 * @returns `null`: the CocoaPods of the machine is used
 */
export async function findGemfile({ files, config }: BuildProject, dir: string): Promise<string | null> {
  for (const folder of new Set([dir, config.baseDir])) {
    const gemfile = await files.read('native', join(folder, 'Gemfile'), MAX_BYTES);
    if (gemfile === null || !NAMES_PODS.test(gemfile)) continue;
    if ((await files.resolve('native', join(folder, 'Gemfile.lock'))) !== null) return folder;
  }
  return null;
}
