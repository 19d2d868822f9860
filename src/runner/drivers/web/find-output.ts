import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildProject } from '../../steps/build-project.js';
import { StepError } from '../../steps/build-run.js';
import { findNxTarget } from '../../steps/project/nx-project.js';
import { readCapacitorConfig } from '../../steps/project/capacitor-config.js';
import { USUAL_OUTPUTS } from '../../steps/outputs/empty-outputs.js';
import { isWritten, notWritten } from '../../steps/web-assets.js';

const INDEX = 'index.html';
const MAX_PROJECTS = 100;

/**
 * The folder that the web build has written: `webDir` of Capacitor, `www` of Cordova, else the only usual folder with an
 * index.html that it has written.
 *
 * @returns the path without links, within the working copy
 * @throws StepError when there is none, it is not clear which, or it is older than the build
 */
export async function findOutput(project: BuildProject): Promise<string> {
  const { run } = project;
  const capacitor = await readCapacitorConfig(project, 'output');
  const named = capacitor?.webDir ?? (run.payload.app.type === 'cordova' ? 'www' : null);
  const found = named ?? (await guess(project));
  const path = await resolve(project, found);
  if (path === null || !(await isFolder(path))) {
    throw new StepError('output', `The build made no folder ${shown(found)}.`);
  }
  if ((await isWritten(project, found)) === false) throw notWritten(project, [found]);
  if (!(await hasIndex(project, found))) {
    throw new StepError('output', `The output folder ${shown(found)} has no ${INDEX}.`);
  }
  run.log.line(`The output is in ${found}`);
  return path;
}

async function guess(project: BuildProject): Promise<string> {
  const { run, config } = project;
  const usual = await withIndex(project, USUAL_OUTPUTS);
  const written = await writtenOf(project, usual);
  const others = written.length === 0 ? await withIndex(project, await projectFolders(project)) : [];
  const candidates = written.length === 0 ? await writtenOf(project, others) : written;
  const [only, second] = candidates;
  if (only === undefined) {
    const old = [...usual, ...others];
    if (old.length > 0) throw notWritten(project, old);
    throw new StepError(
      'output',
      `The build made no ${INDEX} in ${USUAL_OUTPUTS.join(', ')}: set "webDir" in capacitor.config.json.`,
    );
  }
  if (second !== undefined) {
    throw new StepError(
      'output',
      `Several folders have an ${INDEX}: ${candidates.map(shown).join(', ')}. Set "webDir" in capacitor.config.json.`,
    );
  }
  run.log.line(
    `No configuration names the output folder: ${only} is the only one with an ${INDEX}${config.hasWebBuild ? ' that this build has written' : ''}`,
  );
  return only;
}

async function withIndex(project: BuildProject, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) if (await hasIndex(project, folder)) found.push(folder);
  return found;
}

async function writtenOf(project: BuildProject, folders: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const folder of folders) if ((await isWritten(project, folder)) === true) found.push(folder);
  return found;
}

/** Where Angular and Nx put the output of one of several projects. */
async function projectFolders(project: BuildProject): Promise<string[]> {
  const { files, config } = project;
  const nx = await findNxTarget(files, config.baseDir, config.manager.root);
  const angular = (await namesIn(project, 'dist')).map((name) => `dist/${name}/browser`);
  const apps = (await namesIn(project, 'dist/apps')).map((name) => `dist/apps/${name}`);
  const found = [...(nx?.outputs ?? []), ...angular, ...apps, ...apps.map((app) => `${app}/browser`)];
  return [...new Set(found)];
}

async function namesIn(project: BuildProject, folder: string): Promise<string[]> {
  const path = await resolve(project, folder);
  if (path === null || !(await isFolder(path))) return [];
  return (await readdir(path)).toSorted().slice(0, MAX_PROJECTS);
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
