import { join } from 'node:path';
import { StepError } from '../build-run.js';
import { isObject, type ProjectFolder } from './project-folder.js';

const FILE = 'capawesome.config.json';
const MAX_BYTES = 1024 * 1024;
const MAX_COMMAND_LENGTH = 10_000;
const DEFAULT_INSTALL_COMMAND = 'npm install';
/** The scripts of package.json that build, the first one that is there. */
const BUILD_SCRIPTS = ['capawesome:build', 'build'];

/** How a project is built. */
export interface ProjectConfig {
  /** Where the commands run, relative to the working copy, without links; `''`: its root. */
  readonly baseDir: string;
  readonly installCommand: string;
  readonly webBuildCommand: string;
}

/**
 * Reads `capawesome.config.json` and package.json.
 *
 * @throws StepError when they cannot be used, or do not say how to build
 */
export async function readProjectConfig(project: ProjectFolder, appId: string): Promise<ProjectConfig> {
  const entry = findEntry(await project.readJson('configuration', FILE, MAX_BYTES), appId);
  const baseDir = await readBaseDir(project, entry['baseDir']);
  return {
    baseDir,
    installCommand: readCommand(entry, 'dependencyInstallCommand') ?? DEFAULT_INSTALL_COMMAND,
    webBuildCommand: readCommand(entry, 'webBuildCommand') ?? (await findBuildScript(project, baseDir)),
  };
}

/** The entry of the app; without one the defaults count. */
function findEntry(config: Record<string, unknown> | null, appId: string): Record<string, unknown> {
  const cloud = config?.['cloud'] ?? {};
  const apps = isObject(cloud) ? (cloud['apps'] ?? []) : null;
  if (!Array.isArray(apps)) throw new StepError('configuration', `"cloud.apps" of ${FILE} must be a list.`);
  const entry: unknown = apps.find((app: unknown) => isObject(app) && app['appId'] === appId);
  return isObject(entry) ? entry : {};
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

async function findBuildScript(project: ProjectFolder, baseDir: string): Promise<string> {
  const path = join(baseDir, 'package.json');
  const json = await project.readJson('configuration', path, MAX_BYTES);
  if (json === null) {
    throw new StepError(
      'configuration',
      `There is no ${path}: set "baseDir" or "webBuildCommand" in ${FILE}.`,
    );
  }
  const { scripts } = json;
  const name = BUILD_SCRIPTS.find((script) => isObject(scripts) && typeof scripts[script] === 'string');
  if (name === undefined) {
    throw new StepError(
      'configuration',
      `${path} has neither the script "capawesome:build" nor "build", and ${FILE} has no "webBuildCommand".`,
    );
  }
  return `npm run ${name}`;
}
