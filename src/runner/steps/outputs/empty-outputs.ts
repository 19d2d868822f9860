import { readdir } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { removeFolder } from '../../folders/remove-folder.js';
import type { BuildLog } from '../build-run.js';
import { readConfigFile } from '../project/capacitor-config.js';
import type { ProjectConfig } from '../project/project-config.js';
import type { ProjectFolder } from '../project/project-folder.js';

const MAX_BYTES = 1024 * 1024;
/** Where web builds usually put their output. */
export const USUAL_OUTPUTS = ['dist', 'www', 'build'];

/**
 * Empties the output folders of an upload that its `.gitignore` leaves out of the source: they are what an earlier build on
 * another machine has left. A commit has no such files, and what it has is source.
 *
 * @throws StepError when a file of the project cannot be read
 */
export async function emptyOutputs(
  files: ProjectFolder,
  { baseDir, hasWebBuild }: ProjectConfig,
  log: Pick<BuildLog, 'line'>,
): Promise<void> {
  if (!hasWebBuild) return;
  const { webDir = null } = (await readConfigFile(files, baseDir, 'configuration')) ?? {};
  for (const folder of new Set([...(webDir === null ? [] : [webDir]), ...USUAL_OUTPUTS])) {
    const path = join(baseDir, folder);
    const found = await files.resolve('configuration', path);
    // What a link leads to has another name in .gitignore.
    if (found === null || files.relative(found) !== path || !(await isIgnored(files, path))) continue;
    const names = await readdir(found).catch(() => []);
    for (const name of names) await removeFolder(join(found, name));
    if (names.length > 0) log.line(`Emptied ${path}, which .gitignore leaves out of the source`);
  }
}

/** Whether a `.gitignore` above names the folder itself. Patterns that only match it are not read. */
async function isIgnored(files: ProjectFolder, path: string): Promise<boolean> {
  const parts = path.split('/');
  for (let depth = 0; depth < parts.length; depth++) {
    const dir = join(...parts.slice(0, depth));
    const text = await files.read('configuration', join(dir, '.gitignore'), MAX_BYTES);
    if (text !== null && namesFolder(text, relative(dir, path))) return true;
  }
  return false;
}

/** @param path relative to the `.gitignore` */
function namesFolder(text: string, path: string): boolean {
  const lines = text.split('\n').map((line) => line.trim());
  const names = [path, `/${path}`, basename(path), `**/${basename(path)}`];
  const isNamed = lines.some((line) => names.includes(line.replace(/\/$/, '')));
  const isContentNamed = lines.some((line) => names.includes(line.replace(/\/\*{1,2}$/, '')));
  // What takes files back: of the folder, or with its content named, also by names alone.
  const taken = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1).replace(/\/$/, ''));
  if (taken.some((name) => names.includes(name) || name.replace(/^\//, '').startsWith(`${path}/`)))
    return false;
  return isNamed || (isContentNamed && taken.every((name) => name.includes('/')));
}
