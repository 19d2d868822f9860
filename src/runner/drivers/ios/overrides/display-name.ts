import { StepError } from '../../../steps/build-run.js';
import type { ProjectFolder } from '../../../steps/project/project-folder.js';
import type { XcodeProject } from '../xcode-project/xcode-project.js';
import type { TargetFiles } from './target-files.js';

const WHAT = 'the name of the app';
const KEY = 'CFBundleDisplayName';
const SETTING = `INFOPLIST_KEY_${KEY}`;
const MAX_BYTES = 1024 * 1024;

/**
 * Sets the name of the app on devices, which Info.plist has, or the settings from which Xcode makes it.
 *
 * @throws StepError when languages translate it: then it has several places
 */
export async function setDisplayName(
  files: ProjectFolder,
  project: XcodeProject,
  configuration: string,
  { name, infoPlist, isGenerated }: TargetFiles,
  displayName: string,
): Promise<void> {
  const translated: string[] = [];
  for (const path of await project.translations(name)) {
    if (namesApp((await files.read('configuration', path, MAX_BYTES)) ?? '')) translated.push(path);
  }
  if (translated.length > 0) {
    throw new StepError(
      'configuration',
      `The configuration sets ${WHAT}, which ${translated.slice(0, 10).join(', ')} translate${translated.length === 1 ? 's' : ''}: Slipway replaces values that have exactly one place.`,
    );
  }
  if (isGenerated) project.setSettings(name, configuration, { [SETTING]: displayName });
  if (infoPlist !== null && (!isGenerated || infoPlist.find(KEY) !== null)) {
    infoPlist.set([KEY], displayName, WHAT);
  }
}

/** The files can be in UTF-16, where other bytes are zero. Comments say nothing. */
function namesApp(text: string): boolean {
  return withoutComments(text.replaceAll('\0', '')).includes(KEY);
}

function withoutComments(text: string): string {
  let result = '';
  let at = 0;
  for (let open = text.indexOf('/*'); open !== -1; open = text.indexOf('/*', at)) {
    const close = text.indexOf('*/', open + 2);
    result += text.slice(at, open);
    at = close === -1 ? text.length : close + 2;
  }
  return (result + text.slice(at)).replaceAll(/^[ \t]*\/\/.*$/gm, '');
}
