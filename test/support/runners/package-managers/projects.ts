import { berryLock, type LockedProject, npmLock, pnpmLock, yarnLock } from './locks.js';
import type { Manifest, StaticRegistry } from './static-registry.js';

/** Files of a repository by path. */
export type Files = Readonly<Record<string, string | Buffer>>;

/** Notes which manager has installed the project. */
const NOTE = "require('node:fs').writeFileSync('installed-by.txt', process.env.npm_config_user_agent);\n";
const INSTALLED = { 'note.cjs': NOTE };
const scripts = { postinstall: 'node note.cjs' };

/** What lock files name. The registry has newer versions of all but the program that builds, which the ranges allow. */
const LOCKED = ['tiny@1.0.0', 'tiny-build@1.0.0', 'uses-tiny@1.0.0'];

/** What the build of an app reports about packages that are as its lock file says. */
export const AS_LOCKED = { tiny: '1.0.0', 'uses-tiny': '1.0.0 with tiny 1.0.0' };
/** The same without one. */
export const NEWEST = { tiny: '1.1.0', 'uses-tiny': '1.1.0 with tiny 1.1.0' };

export const app = {
  name: 'shop',
  version: '1.0.0',
  private: true,
  scripts: { ...scripts, build: 'tiny-build' },
  dependencies: { tiny: '^1.0.0', 'tiny-build': '1.0.0', 'uses-tiny': '^1.0.0' },
} as const;

/** The app that lock files are of. */
export const lockedApp: LockedProject = { folders: { '': app }, locked: LOCKED };

/** An app in one folder. @param fields of its package.json @param more further files, by path */
export function appWith(fields: object, more: Files = {}): Files {
  return { 'package.json': toJson({ ...app, ...fields }), ...INSTALLED, ...more };
}

/** Names of files with what is in them. */
export const lockFiles = {
  npm: (registry: StaticRegistry) => ({ 'package-lock.json': npmLock(registry, lockedApp) }),
  pnpm: (registry: StaticRegistry) => ({ 'pnpm-lock.yaml': pnpmLock(registry, lockedApp) }),
  yarn: (registry: StaticRegistry) => ({ 'yarn.lock': yarnLock(registry, lockedApp) }),
  berry: (registry: StaticRegistry) => ({ 'yarn.lock': berryLock(registry, lockedApp) }),
} as const;

/** What the build of a workspace reports about packages that are as its lock file says. */
export const WORKSPACE_AS_LOCKED = { '@acme/core': 'core with tiny 1.0.0', tiny: '1.0.0' };

/**
 * A workspace with the app `apps/shop` and the package `packages/core`, which it uses.
 *
 * @param core the range by which the app depends on the package
 * @param fields of package.json of the root
 */
export function workspaceWith(
  core: string,
  fields: Partial<Manifest> & { readonly packageManager?: string },
): LockedProject {
  const dependencies = { '@acme/core': core, tiny: '^1.0.0', 'tiny-build': '1.0.0' };
  return {
    folders: {
      '': { name: 'acme', version: '1.0.0', scripts, ...fields },
      'apps/shop': { name: '@acme/shop', version: '1.0.0', scripts: { build: 'tiny-build' }, dependencies },
      'packages/core': { name: '@acme/core', version: '1.0.0', dependencies: { tiny: '^1.0.0' } },
    },
    locked: ['tiny@1.0.0', 'tiny-build@1.0.0'],
  };
}

/** The files of a workspace without its lock file. */
export function filesOf({ folders }: LockedProject): Files {
  const manifests = Object.entries(folders).map(([folder, manifest]) => [
    folder === '' ? 'package.json' : `${folder}/package.json`,
    toJson({ ...manifest, private: true }),
  ]);
  return {
    ...(Object.fromEntries(manifests) as Files),
    ...INSTALLED,
    'packages/core/index.js': "module.exports = 'core with tiny ' + require('tiny');\n",
  };
}

export function toJson(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
