import { join } from 'node:path';
import { StepError } from '../build-run.js';
import {
  installCommandOf,
  type PackageManager,
  programCommand,
  scriptCommand,
} from '../packages/managers.js';
import { findNxTarget } from './nx-project.js';
import { isObject, type ProjectFolder } from './project-folder.js';

const FILE = 'capawesome.config.json';
const PACKAGE = 'package.json';
const MAX_BYTES = 1024 * 1024;
const MAX_COMMAND_LENGTH = 10_000;
/** The scripts of package.json that build, the first one that is there. */
const BUILD_SCRIPTS = ['capawesome:build', 'build'];
/** What an entry of the configuration can have. */
const KEYS = ['appId', 'baseDir', 'dependencyInstallCommand', 'webBuildCommand'];
/** Commands that do nothing, or only print. */
const NO_OP = /^(?:true|:|exit 0|echo(?: [^<>|;&$`(){}\n]*)?)$/;
/** Most names that one line of the log shows. */
const MAX_SHOWN = 10;

/** How a project is built. */
export interface ProjectConfig {
  /** Where the commands run, relative to the working copy, without links; `''`: its root. */
  readonly baseDir: string;
  readonly manager: PackageManager;
  readonly installCommand: string;
  /** Where it runs, as `baseDir`. */
  readonly installDir: string;
  /** There is a package.json in `baseDir`. */
  readonly hasPackage: boolean;
  /** There are packages to install, or a command that installs. */
  readonly hasDependencies: boolean;
  /** `null`: the project has no web step. */
  readonly webBuildCommand: string | null;
  /** Where it runs, as `baseDir`. */
  readonly webBuildDir: string;
  /** The web step is a command that does something, unlike `true`. */
  readonly hasWebBuild: boolean;
}

/** A command of the web step. */
export interface WebBuild {
  readonly command: string;
  /** Where it runs, relative to the working copy. */
  readonly dir: string;
}

/**
 * How a project is built to web assets that names no command for it.
 *
 * @param baseDir where the app is
 * @returns `null`: it has no web step
 * @throws StepError when it must have one
 */
export type FindWebBuild = (
  project: ProjectFolder,
  baseDir: string,
  manager: PackageManager,
) => Promise<WebBuild | null>;

/** What `capawesome.config.json` says about an app. */
export interface ProjectEntry {
  /** Relative to the working copy, without links. */
  readonly baseDir: string;
  /** `null`: it leaves that to the runner. */
  readonly installCommand: string | null;
  /** Likewise. */
  readonly webBuildCommand: string | null;
}

/**
 * Reads `capawesome.config.json`.
 *
 * @param onNote gets what of it does not count, in one line each
 * @throws StepError when it cannot be used
 */
export async function readProjectEntry(
  project: ProjectFolder,
  appId: string,
  onNote: (note: string) => void,
): Promise<ProjectEntry> {
  const entry = findEntry(await project.readJson('configuration', FILE, MAX_BYTES), appId, onNote);
  return {
    baseDir: await readBaseDir(project, entry['baseDir']),
    installCommand: readCommand(entry, 'dependencyInstallCommand'),
    webBuildCommand: readCommand(entry, 'webBuildCommand'),
  };
}

/**
 * Completes what a project says with what its files say.
 *
 * @param manager as the build has it
 * @throws StepError when it does not say how to build
 */
export async function completeConfig(
  project: ProjectFolder,
  { baseDir, installCommand, webBuildCommand }: ProjectEntry,
  manager: PackageManager,
  findWebBuild: FindWebBuild = requireDefaultBuild,
): Promise<ProjectConfig> {
  const webBuild =
    webBuildCommand === null
      ? await findWebBuild(project, baseDir, manager)
      : { command: webBuildCommand, dir: baseDir };
  const hasPackage = (await readPackage(project, baseDir)) !== null;
  const hasDependencies =
    installCommand !== null || hasPackage || (await findNxTarget(project, baseDir, manager.root)) !== null;
  return {
    baseDir,
    manager,
    installCommand: installCommand ?? installCommandOf(manager),
    installDir: installCommand === null ? manager.root : baseDir,
    hasPackage,
    hasDependencies,
    webBuildCommand: webBuild?.command ?? null,
    webBuildDir: webBuild?.dir ?? baseDir,
    hasWebBuild: webBuild !== null && !(await isNoOp(project, baseDir, webBuild.command)),
  };
}

/** Whether a command does nothing, itself or as a script of package.json. */
async function isNoOp(project: ProjectFolder, baseDir: string, command: string): Promise<boolean> {
  if (NO_OP.test(command.trim())) return true;
  const name = /^(?:npm|pnpm|yarn|bun) run ([\w:.-]+)$/.exec(command.trim())?.[1];
  if (name === undefined) return false;
  const { scripts } = (await readPackage(project, baseDir)) ?? {};
  const texts = ['pre', '', 'post'].map((hook) =>
    isObject(scripts) ? scripts[`${hook}${name}`] : undefined,
  );
  return texts.every((text) => text === undefined || (typeof text === 'string' && NO_OP.test(text.trim())));
}

/** The entry of the app; without one the defaults count. */
function findEntry(
  config: Record<string, unknown> | null,
  appId: string,
  onNote: (note: string) => void,
): Record<string, unknown> {
  if (config === null) return {};
  const cloud = config['cloud'] ?? {};
  const apps = isObject(cloud) ? (cloud['apps'] ?? []) : null;
  if (!Array.isArray(apps)) throw new StepError('configuration', `"cloud.apps" of ${FILE} must be a list.`);
  const entries = apps.filter((app: unknown) => isObject(app) && app['appId'] === appId) as Record<
    string,
    unknown
  >[];
  const [entry, second] = entries;
  if (second !== undefined)
    onNote(`${FILE} has several entries of this app (${appId}): the first one counts`);
  if (entry === undefined) {
    const others = apps.map((app: unknown) => (isObject(app) ? app['appId'] : undefined));
    onNote(
      others.length === 0
        ? `${FILE} has no list "cloud.apps" with an entry of this app (${appId}), so nothing of it counts`
        : `${FILE} has no entry of this app (${appId}), only of ${shownNames(others)}, so nothing of it counts`,
    );
    return {};
  }
  for (const key of Object.keys(entry).slice(0, MAX_SHOWN)) {
    if (KEYS.includes(key)) continue;
    const meant = KEYS.find((known) => known.toLowerCase() === key.toLowerCase());
    const hint = meant === undefined ? `: builds read ${KEYS.join(', ')}` : `: did you mean "${meant}"?`;
    onNote(`${FILE} has ${shownNames([key])} in the entry of this app, which does not count${hint}`);
  }
  return entry;
}

function shownNames(values: readonly unknown[]): string {
  const names = values.map((value) => JSON.stringify(String(value).slice(0, 50)));
  return names.length > MAX_SHOWN ? `${names.slice(0, MAX_SHOWN).join(', ')} …` : names.join(', ');
}

async function readBaseDir(project: ProjectFolder, value: unknown): Promise<string> {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string' || value.includes('\0') || value.startsWith('/')) {
    throw new StepError('configuration', `"baseDir" of ${FILE} must be a folder relative to the repository.`);
  }
  const found = await project.resolve('configuration', value);
  if (found === null) {
    throw new StepError(
      'configuration',
      `"baseDir" of ${FILE} is ${JSON.stringify(value.slice(0, 200))}, which does not exist in the source: an upload must have the root of the repository.`,
    );
  }
  return project.relative(found);
}

function readCommand(entry: Record<string, unknown>, key: string): string | null {
  const value = entry[key];
  if (value === undefined || value === null) return null;
  if (
    typeof value !== 'string' ||
    value.trim() === '' ||
    value.includes('\0') ||
    value.length > MAX_COMMAND_LENGTH
  ) {
    throw new StepError('configuration', `"${key}" of ${FILE} must be a command; "true" does nothing.`);
  }
  return value;
}

/** The script of package.json that builds, else the project of Nx. As `FindWebBuild`. */
export async function requireDefaultBuild(
  project: ProjectFolder,
  baseDir: string,
  manager: PackageManager,
): Promise<WebBuild> {
  const found = await findDefaultBuild(project, baseDir, manager);
  if (found !== null) return found;
  const path = join(baseDir, PACKAGE);
  if ((await readPackage(project, baseDir)) !== null) {
    throw new StepError(
      'configuration',
      `${path} has neither the script "capawesome:build" nor "build", and ${FILE} has no "webBuildCommand".`,
    );
  }
  throw new StepError(
    'configuration',
    baseDir === ''
      ? `There is no ${path}: set "baseDir" to the folder of the app, or "webBuildCommand", in ${FILE}.`
      : `There is no ${path}, and no project.json of Nx: set "webBuildCommand" in ${FILE}, which runs in ${baseDir} ("baseDir").`,
  );
}

/** As `FindWebBuild`; `null`: there is neither a script nor a project of Nx. */
export async function findDefaultBuild(
  project: ProjectFolder,
  baseDir: string,
  manager: PackageManager,
): Promise<WebBuild | null> {
  const { scripts } = (await readPackage(project, baseDir)) ?? {};
  const script = BUILD_SCRIPTS.find((name) => isObject(scripts) && typeof scripts[name] === 'string');
  if (script !== undefined) return { command: scriptCommand(manager, script), dir: baseDir };
  const nx = await findNxTarget(project, baseDir, manager.root);
  if (nx === null) return null;
  return { command: programCommand(manager, `nx build ${nx.name}`, true), dir: manager.root };
}

function readPackage(project: ProjectFolder, baseDir: string): Promise<Record<string, unknown> | null> {
  return project.readJson('configuration', join(baseDir, PACKAGE), MAX_BYTES);
}
