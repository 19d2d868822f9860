import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildProject } from '../../steps/build-project.js';
import { StepError } from '../../steps/build-run.js';
import { findWebDir } from './capacitor-config.js';

const INDEX = 'index.html';
/** Where web builds usually put their output. */
const USUAL_FOLDERS = ['dist', 'www', 'build'];
const MAX_PROJECTS = 100;

/**
 * The folder that the web build has made: `webDir` of Capacitor, `www` of Cordova, else the only usual folder with an
 * index.html.
 *
 * @returns the path without links, within the working copy
 * @throws StepError when there is none, or it is not clear which
 */
export async function findOutput(project: BuildProject): Promise<string> {
  const { run } = project;
  const webDir = await findWebDir(project);
  const named = webDir ?? (run.payload.app.type === 'cordova' ? 'www' : null);
  const found = named === null ? await guess(project) : named;
  const path = await resolve(project, found);
  if (path === null || !(await isFolder(path))) {
    throw new StepError('output', `The build made no folder ${shown(found)}.`);
  }
  if (!(await hasIndex(project, found))) {
    throw new StepError('output', `The output folder ${shown(found)} has no ${INDEX}.`);
  }
  run.log.line(`The output is in ${found}`);
  return path;
}

async function guess(project: BuildProject): Promise<string> {
  const candidates: string[] = [];
  for (const folder of USUAL_FOLDERS) if (await hasIndex(project, folder)) candidates.push(folder);
  // Angular: dist/<project>/browser
  if (candidates.length === 0) candidates.push(...(await angularFolders(project)));
  const [only, second] = candidates;
  if (only === undefined) {
    throw new StepError(
      'output',
      `The build made no ${INDEX} in ${USUAL_FOLDERS.join(', ')}: set "webDir" in capacitor.config.json.`,
    );
  }
  if (second !== undefined) {
    throw new StepError(
      'output',
      `Several folders have an ${INDEX}: ${candidates.map(shown).join(', ')}. Set "webDir" in capacitor.config.json.`,
    );
  }
  return only;
}

async function angularFolders(project: BuildProject): Promise<string[]> {
  const dist = await resolve(project, 'dist');
  if (dist === null || !(await isFolder(dist))) return [];
  const names = (await readdir(dist)).toSorted().slice(0, MAX_PROJECTS);
  const found: string[] = [];
  for (const name of names) {
    const folder = `dist/${name}/browser`;
    if (await hasIndex(project, folder)) found.push(folder);
  }
  return found;
}

async function hasIndex(project: BuildProject, folder: string): Promise<boolean> {
  const path = await resolve(project, join(folder, INDEX));
  return path !== null && (await stat(path)).isFile();
}

function resolve({ files, config }: BuildProject, path: string): Promise<string | null> {
  return files.resolve('output', join(config.baseDir, path));
}

async function isFolder(path: string): Promise<boolean> {
  return (await stat(path)).isDirectory();
}

function shown(path: string): string {
  return JSON.stringify(path.slice(0, 200));
}
