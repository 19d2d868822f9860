import { join } from 'node:path';
import { StepError } from '../build-run.js';
import { isObject, type ProjectFolder } from './project-folder.js';

const FILE = 'capawesome.config.json';
const PACKAGE = 'package.json';
const MAX_BYTES = 1024 * 1024;
const MAX_COMMAND_LENGTH = 10_000;
const DEFAULT_INSTALL_COMMAND = 'npm install';
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
  readonly installCommand: string;
  /** There is a package.json, or a command that installs. */
  readonly hasDependencies: boolean;
  /** `null`: the project has no web step. */
  readonly webBuildCommand: string | null;
  /** The web step is a command that does something, unlike `true`. */
  readonly hasWebBuild: boolean;
}

/**
 * How a project is built to web assets that names no command for it.
 *
 * @param baseDir where commands run
 * @returns `null`: it has no web step
 * @throws StepError when it must have one
 */
export type FindWebBuild = (project: ProjectFolder, baseDir: string) => Promise<string | null>;

/**
 * Reads `capawesome.config.json` and package.json.
 *
 * @param onNote gets what of them does not count, in one line each
 * @throws StepError when they cannot be used, or do not say how to build
 */
export async function readProjectConfig(
  project: ProjectFolder,
  appId: string,
  findWebBuild: FindWebBuild = requireBuildScript,
  onNote: (note: string) => void = () => undefined,
): Promise<ProjectConfig> {
  const entry = findEntry(await project.readJson('configuration', FILE, MAX_BYTES), appId, onNote);
  const baseDir = await readBaseDir(project, entry['baseDir']);
  const installCommand = readCommand(entry, 'dependencyInstallCommand');
  const webBuildCommand = readCommand(entry, 'webBuildCommand') ?? (await findWebBuild(project, baseDir));
  return {
    baseDir,
    installCommand: installCommand ?? DEFAULT_INSTALL_COMMAND,
    hasDependencies: installCommand !== null || (await readPackage(project, baseDir)) !== null,
    webBuildCommand,
    hasWebBuild: webBuildCommand !== null && !(await isNoOp(project, baseDir, webBuildCommand)),
  };
}

/** Whether a command does nothing, itself or as a script of package.json. */
async function isNoOp(project: ProjectFolder, baseDir: string, command: string): Promise<boolean> {
  if (NO_OP.test(command.trim())) return true;
  const name = /^npm run ([\w:.-]+)$/.exec(command.trim())?.[1];
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
      `"baseDir" of ${FILE} is ${JSON.stringify(value.slice(0, 200))}, which does not exist.`,
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

/** The script of package.json that builds. As `FindWebBuild`. */
export async function requireBuildScript(project: ProjectFolder, baseDir: string): Promise<string> {
  const command = await findBuildScript(project, baseDir);
  if (command !== null) return command;
  const path = join(baseDir, PACKAGE);
  throw new StepError(
    'configuration',
    (await readPackage(project, baseDir)) === null
      ? `There is no ${path}: set "baseDir" or "webBuildCommand" in ${FILE}.`
      : `${path} has neither the script "capawesome:build" nor "build", and ${FILE} has no "webBuildCommand".`,
  );
}

/** As `FindWebBuild`; `null`: there is no such script. */
export async function findBuildScript(project: ProjectFolder, baseDir: string): Promise<string | null> {
  const { scripts } = (await readPackage(project, baseDir)) ?? {};
  const name = BUILD_SCRIPTS.find((script) => isObject(scripts) && typeof scripts[script] === 'string');
  return name === undefined ? null : `npm run ${name}`;
}

function readPackage(project: ProjectFolder, baseDir: string): Promise<Record<string, unknown> | null> {
  return project.readJson('configuration', join(baseDir, PACKAGE), MAX_BYTES);
}
