import { bunLock, yarnLock } from '../locks.js';
import { app, appWith, AS_LOCKED, lockedApp, lockFiles, NEWEST, toJson } from '../projects.js';
import type { StaticRegistry } from '../static-registry.js';
import type { Repository } from './repository.js';
import { agent, label, tools } from './tools.js';

const { pnpm9, pnpm12, yarn1, bun } = tools;
const byPnpm9 = agent(pnpm9);
const DECLARED = `Installing with ${label(pnpm9)}, because of "packageManager" of package.json\n`;

/** A version with its hash, as Corepack writes it. */
function withHash(registry: StaticRegistry, spec: string): string {
  const { integrity } = registry.distOf(spec);
  return `${spec}+sha512.${Buffer.from(integrity.replace('sha512-', ''), 'base64').toString('hex')}`;
}

export const choices: readonly Repository[] = [
  {
    name: 'two lock files with packageManager',
    tools: [pnpm9],
    files: (registry) =>
      appWith({ packageManager: pnpm9 }, { ...lockFiles.yarn(registry), ...lockFiles.pnpm(registry) }),
    expected: {
      log: [DECLARED, 'yarn.lock does not count, because "packageManager" of package.json names pnpm\n'],
      installedBy: byPnpm9,
      packages: AS_LOCKED,
    },
  },
  {
    name: 'two lock files without packageManager',
    files: (registry) => appWith({}, { ...lockFiles.npm(registry), ...lockFiles.pnpm(registry) }),
    expected: {
      step: 'configuration',
      message: /^There are package-lock\.json and pnpm-lock\.yaml, and nothing/,
    },
  },
  {
    name: 'packageManager with its hash',
    tools: [pnpm9],
    files: (registry) => appWith({ packageManager: withHash(registry, pnpm9) }, lockFiles.pnpm(registry)),
    expected: { log: [DECLARED], installedBy: byPnpm9, packages: AS_LOCKED },
  },
  {
    name: 'packageManager that is wrong',
    files: (registry) => appWith({ packageManager: 'pnpm' }, lockFiles.pnpm(registry)),
    expected: { step: 'configuration', message: /^"packageManager" of package\.json is "pnpm": it must be/ },
  },
  {
    name: 'packageManager of a version that the registry does not have',
    files: (registry) => appWith({ packageManager: 'pnpm@9.99.9' }, lockFiles.pnpm(registry)),
    expected: {
      step: 'configuration',
      message: /needs pnpm 9\.99\.9, as "packageManager" of package\.json says/,
    },
  },
  {
    name: 'packageManager at the root, and the app below it',
    tools: [pnpm9],
    files: (registry) => {
      const { 'package.json': manifest = '', ...files } = appWith({}, lockFiles.pnpm(registry));
      const below = Object.entries({ 'package.json': manifest, ...files });
      return {
        'package.json': toJson({ name: 'acme', private: true, packageManager: pnpm9 }),
        ...Object.fromEntries(below.map(([path, content]) => [`apps/shop/${path}`, content])),
      };
    },
    entry: { baseDir: 'apps/shop' },
    expected: { log: [DECLARED], installedBy: byPnpm9, packages: AS_LOCKED },
  },
  {
    name: 'bun.lock',
    tools: [bun, tools.bunProgram],
    files: (registry) => appWith({}, { 'bun.lock': bunLock(registry, lockedApp) }),
    expected: {
      log: [`Installing with ${label(bun)}, because of bun.lock\n`],
      installedBy: agent(bun),
      packages: AS_LOCKED,
    },
  },
];

/** What the log says of a project with an install command. */
export const BY_COMMAND = '"dependencyInstallCommand" of capawesome.config.json installs';

export const commands: readonly Repository[] = [
  {
    name: 'an install command, packageManager and the lock file of pnpm',
    files: (registry) => appWith({ packageManager: pnpm9 }, lockFiles.pnpm(registry)),
    entry: { dependencyInstallCommand: 'npm install', webBuildCommand: 'npm run build' },
    expected: { log: [BY_COMMAND], installedBy: 'npm/', packages: NEWEST },
  },
  {
    name: 'npm install -g pnpm && pnpm install, as the vendor documents it',
    tools: [pnpm12, tools.pnpm12Program],
    files: (registry) => appWith({}, lockFiles.pnpm(registry)),
    entry: { dependencyInstallCommand: 'npm install -g pnpm && pnpm install', webBuildCommand: 'pnpm build' },
    expected: { log: [BY_COMMAND], installedBy: agent(pnpm12), packages: AS_LOCKED },
  },
  {
    name: 'npm install -g yarn && yarn install, as the vendor documents it',
    tools: [yarn1],
    files: (registry) => appWith({}, lockFiles.yarn(registry)),
    entry: { dependencyInstallCommand: 'npm install -g yarn && yarn install', webBuildCommand: 'yarn build' },
    expected: { log: [BY_COMMAND], installedBy: agent(yarn1), packages: AS_LOCKED },
  },
  {
    name: 'yarn global add',
    tools: [yarn1],
    files: (registry) => {
      const { 'tiny-build': _build, ...dependencies } = app.dependencies;
      const project = {
        folders: { '': { ...app, dependencies } },
        locked: ['tiny@1.0.0', 'uses-tiny@1.0.0'],
      };
      return appWith({ dependencies }, { 'yarn.lock': yarnLock(registry, project) });
    },
    entry: { dependencyInstallCommand: 'yarn global add tiny-build && yarn install --frozen-lockfile' },
    expected: { log: [BY_COMMAND], installedBy: agent(yarn1), packages: AS_LOCKED },
  },
];
