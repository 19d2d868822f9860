import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { InnerFolders } from '../../folders/job-folders.js';
import { cacheFolder } from '../caches/cache-parts.js';
import type { ProjectFolder } from '../project/project-folder.js';
import { binOf, type NodeVersion } from '../tools/node-versions.js';
import type { ToolName } from '../tools/tool-store.js';
import { isBerry, type PackageManager } from './managers.js';

const MAX_BYTES = 1024 * 1024;

/** In `HOME` of the build: what its commands install for all folders, such as `npm install -g`. */
const GLOBAL = '.global';

/** How often npm asks again, and after which pauses. */
const RETRIES = /^\s*"?fetch-retr(?:ies|y-\w+)"?\s*=\s*\S/m;

/**
 * Files of a project that name the registry, each with the variables that would win over it. Registries of scopes have other
 * keys.
 */
const REGISTRY_FILES: readonly {
  readonly file: string;
  /** Who reads it; `null`: more than one. */
  readonly reader: ToolName | null;
  readonly names: RegExp;
  readonly variables: readonly string[];
}[] = [
  {
    file: '.npmrc',
    reader: null,
    names: /^\s*"?registry"?\s*=\s*\S/m,
    variables: ['npm_config_registry', 'pnpm_config_registry'],
  },
  {
    file: 'pnpm-workspace.yaml',
    reader: 'pnpm',
    names: /^registry:\s*\S|^registries:(?:\r?\n[ \t].*)*?\r?\n[ \t]+default:\s*\S/m,
    variables: ['npm_config_registry', 'pnpm_config_registry'],
  },
  { file: '.yarnrc', reader: 'yarn', names: /^registry\s+\S/m, variables: ['npm_config_registry'] },
  {
    file: '.yarnrc.yml',
    reader: null,
    names: /^npmRegistryServer:\s*\S/m,
    variables: ['YARN_NPM_REGISTRY_SERVER', 'YARN_UNSAFE_HTTP_WHITELIST'],
  },
  { file: 'bunfig.toml', reader: 'bun', names: /^\s*registry\s*=/m, variables: ['npm_config_registry'] },
];

/** What the files of a project say about its registry. */
export interface RegistrySettings {
  /** Variables that must not be set: the project names another registry in a file that they would win over. */
  readonly ownVariables: ReadonlySet<string>;
  readonly namesRetries: boolean;
  /** The project has committed what Yarn downloads. */
  readonly hasYarnCache: boolean;
}

/**
 * What the files of a project say about its registry: in the folder where commands run, and in those above, as in a workspace. A
 * variable would win over them, so builds of a project that names a registry get none.
 *
 * @param baseDir relative to the working copy, without links
 * @throws StepError when one of them cannot be read: package managers would go on without it
 */
export async function readRegistrySettings(
  project: ProjectFolder,
  baseDir: string,
  { name: manager, root }: Pick<PackageManager, 'name' | 'root'>,
): Promise<RegistrySettings> {
  const parts = baseDir === '' ? [] : baseDir.split('/');
  const ownVariables = new Set<string>();
  let namesRetries = false;
  for (let length = parts.length; length >= 0; length--) {
    for (const { file, reader, names, variables } of REGISTRY_FILES) {
      if (reader !== null && reader !== manager) continue;
      const text = await project.read('configuration', join(...parts.slice(0, length), file), MAX_BYTES);
      if (text === null) continue;
      if (names.test(text)) for (const variable of variables) ownVariables.add(variable);
      namesRetries ||= file === '.npmrc' && RETRIES.test(text);
    }
  }
  const hasYarnCache = (await project.resolve('configuration', join(root, '.yarn/cache'))) !== null;
  return { ownVariables, namesRetries, hasYarnCache };
}

/**
 * Pauses of one, two and four seconds, so that a registry that does not exist is reported after seconds: with those of npm
 * (10 and 60 seconds), a build waits for more than a minute. A slow registry still has five minutes for each response.
 */
export const shortRetries: Readonly<Record<string, string>> = Object.fromEntries(
  ['npm', 'pnpm'].flatMap((prefix) => [
    [`${prefix}_config_fetch_retries`, '3'],
    [`${prefix}_config_fetch_retry_factor`, '2'],
    [`${prefix}_config_fetch_retry_mintimeout`, '1000'],
  ]),
);

/** What the environment of a build depends on. */
export interface ManagerSettings {
  readonly manager: PackageManager;
  /** Its folder of programs, as the build sees it; `null`: that of Node.js. */
  readonly bin: string | null;
  /** Of the operator; `null`: none. */
  readonly registry: string | null;
  readonly files: RegistrySettings;
}

/**
 * The folders in which commands find package managers and what these install for all folders, before those of Node.js: first what
 * the project declares, and last what only its lock file asks for. pnpm has used both folders in `HOME`.
 */
export function managerPath({ home }: InnerFolders, { manager, bin }: ManagerSettings): string[] {
  const global = [join(home, GLOBAL, 'bin'), join(home, GLOBAL)];
  if (bin === null) return global;
  return manager.isDeclared ? [bin, ...global] : [...global, bin];
}

/** The registry of the operator, as each package manager takes it. pnpm from version 11 on reads no `npm_config_registry`. */
export function registryVariables({ registry, files }: ManagerSettings): Record<string, string> {
  if (registry === null) return {};
  const { protocol, hostname } = new URL(registry);
  const variables = {
    npm_config_registry: registry,
    pnpm_config_registry: registry,
    YARN_NPM_REGISTRY_SERVER: registry,
    ...(protocol === 'http:' && { YARN_UNSAFE_HTTP_WHITELIST: hostname }),
  };
  return Object.fromEntries(Object.entries(variables).filter(([key]) => !files.ownVariables.has(key)));
}

/** The variable that names its registry to a package manager. */
export function registryVariableOf(manager: PackageManager): string {
  if (manager.name === 'pnpm') return 'pnpm_config_registry';
  return isBerry(manager) ? 'YARN_NPM_REGISTRY_SERVER' : 'npm_config_registry';
}

/** Settings of package managers: one folder for what they download, and nothing that only people read. */
export function managerVariables(
  inner: InnerFolders,
  node: NodeVersion,
  { manager, bin, files }: ManagerSettings,
): Record<string, string> {
  const packages = cacheFolder(inner.cache, 'packages');
  const global = join(inner.home, GLOBAL);
  // With another prefix, npm would look for its global configuration there.
  const npmrc = join(binOf(node), '../etc/npmrc');
  // Outputs of scripts are no downloads.
  const pnpm = { store_dir: `${packages}/pnpm/store`, side_effects_cache: 'false' };
  return {
    npm_config_cache: `${packages}/npm`,
    npm_config_prefix: global,
    ...(existsSync(npmrc) && { npm_config_globalconfig: npmrc }),
    npm_config_logs_max: '0',
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_update_notifier: 'false',
    PNPM_HOME: global,
    ...prefixed('pnpm_config_', pnpm),
    // It is the version that the project names. pnpm 12 would want all its packages in the lock file.
    ...(bin !== null && { pnpm_config_pm_on_fail: 'ignore' }),
    // pnpm up to version 10. npm warns of names that it does not know.
    ...(manager.name === 'pnpm' && prefixed('npm_config_', pnpm)),
    // Yarn 1, then newer ones
    ...(!files.hasYarnCache && { YARN_CACHE_FOLDER: `${packages}/yarn` }),
    YARN_ENABLE_GLOBAL_CACHE: 'false',
    YARN_ENABLE_MIRROR: 'false',
    YARN_ENABLE_TELEMETRY: '0',
    BUN_INSTALL_BIN: `${global}/bin`,
    BUN_INSTALL_CACHE_DIR: `${packages}/bun`,
    BUN_INSTALL_GLOBAL_DIR: `${global}/bun`,
    NG_CLI_ANALYTICS: 'false',
  };
}

function prefixed(prefix: string, values: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [`${prefix}${key}`, value]));
}
