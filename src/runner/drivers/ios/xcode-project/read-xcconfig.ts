import { dirname, join } from 'node:path';
import { parse } from '@bacons/xcode/xcconfig';
import { StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import type { SettingLevel } from './build-settings.js';

const MAX_BYTES = 256 * 1024;
const MAX_FILES = 100;
const MAX_DEPTH = 16;

/**
 * The settings of a file `.xcconfig` and of those that it includes, in their order. A file that is not there says nothing: those
 * of CocoaPods are made later.
 *
 * @param path relative to the working copy
 * @throws StepError when one leads out of the working copy, or there are too many
 */
export async function readXcconfig(files: ProjectFolder, path: string): Promise<SettingLevel> {
  const settings: (readonly [string, string])[] = [];
  let count = 0;
  const read = async (current: string, open: readonly string[]): Promise<void> => {
    if (open.includes(current)) return;
    if (++count > MAX_FILES || open.length > MAX_DEPTH) {
      throw new StepError(
        'configuration',
        `${path} includes more than ${MAX_FILES} files, or more than ${MAX_DEPTH} in each other.`,
      );
    }
    const text = (await files.read('configuration', current, MAX_BYTES)) ?? '';
    for (const line of text.split('\n')) {
      // Line by line: what comes later wins, also over what was included before it.
      const { includes, buildSettings } = parse(line);
      for (const { include } of includes)
        await read(join(dirname(current), include.path), [...open, current]);
      for (const { key, value, conditions = [] } of buildSettings) {
        const suffix = conditions.flatMap((condition) =>
          Object.entries(condition).map(([name, pattern]) => `[${name}=${pattern}]`),
        );
        settings.push([`${key}${suffix.join('')}`, value]);
      }
    }
  };
  await read(path, []);
  return settings;
}
