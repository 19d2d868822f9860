import { berryLock, npmLock, pnpmLock, yarnLock } from '../locks.js';
import {
  app,
  appWith,
  type Files,
  filesOf,
  toJson,
  workspaceWith,
  WORKSPACE_AS_LOCKED,
} from '../projects.js';
import { BY_COMMAND } from './choices.js';
import type { Repository } from './repository.js';
import { agent, declaration, label, tools } from './tools.js';

const { pnpm9, yarn1 } = tools;
const BERRY = declaration(tools.yarn4);
const workspaces = ['apps/*', 'packages/*'];
const PNPM_WORKSPACE = { 'pnpm-workspace.yaml': "packages:\n  - 'apps/*'\n  - 'packages/*'\n" };
const entry = { baseDir: 'apps/shop' };

const npm = workspaceWith('*', { workspaces });
const pnpm = workspaceWith('workspace:*', { packageManager: pnpm9 });
const yarn = workspaceWith('1.0.0', { workspaces });
const yarn4 = workspaceWith('workspace:*', { workspaces, packageManager: BERRY });

const inRoot = (manager: string, because: string): string =>
  `Installing with ${manager}, because of ${because}, in the root of the repository\n`;

/** The files of a folder, as an upload of this folder alone has them. */
function within(folder: string, files: Files): Files {
  const inner = Object.entries(files).filter(([path]) => path.startsWith(`${folder}/`));
  return Object.fromEntries(inner.map(([path, content]) => [path.slice(folder.length + 1), content]));
}

export const workspaceRepositories: readonly Repository[] = [
  {
    name: 'npm',
    files: (registry) => ({ ...filesOf(npm), 'package-lock.json': npmLock(registry, npm) }),
    entry,
    expected: {
      log: [inRoot('the npm of Node.js', 'package-lock.json')],
      installedBy: 'npm/',
      packages: WORKSPACE_AS_LOCKED,
    },
  },
  {
    name: 'npm, with the commands that the vendor documents',
    files: (registry) => ({ ...filesOf(npm), 'package-lock.json': npmLock(registry, npm) }),
    entry: {
      ...entry,
      dependencyInstallCommand: 'cd ../.. && npm install',
      webBuildCommand: 'cd ../.. && npm run build --workspace=@acme/shop',
    },
    expected: { log: [BY_COMMAND], installedBy: 'npm/', packages: WORKSPACE_AS_LOCKED },
  },
  {
    name: 'pnpm, with workspace:*',
    tools: [pnpm9],
    files: (registry) => ({
      ...filesOf(pnpm),
      ...PNPM_WORKSPACE,
      'pnpm-lock.yaml': pnpmLock(registry, pnpm),
    }),
    entry,
    expected: {
      log: [inRoot(label(pnpm9), '"packageManager" of package.json')],
      installedBy: agent(pnpm9),
      packages: WORKSPACE_AS_LOCKED,
    },
  },
  {
    name: 'Yarn 1',
    tools: [yarn1],
    files: (registry) => ({ ...filesOf(yarn), 'yarn.lock': yarnLock(registry, yarn) }),
    entry,
    expected: {
      log: [inRoot(label(yarn1), 'yarn.lock')],
      installedBy: agent(yarn1),
      packages: WORKSPACE_AS_LOCKED,
    },
  },
  {
    name: 'Yarn 4 with Plug’n’Play, and workspace:*',
    tools: [tools.yarn4],
    files: (registry) => ({ ...filesOf(yarn4), 'yarn.lock': berryLock(registry, yarn4) }),
    entry,
    expected: {
      log: [inRoot(label(tools.yarn4), '"packageManager" of package.json')],
      installedBy: agent(tools.yarn4),
      packages: WORKSPACE_AS_LOCKED,
    },
  },
  {
    name: 'Nx, where the app has no package.json',
    files: (registry) => {
      const root = { ...app, name: 'acme', dependencies: { nx: '1.0.0', tiny: '^1.0.0' } };
      const project = { folders: { '': root }, locked: ['nx@1.0.0', 'tiny@1.0.0', 'tiny-build@1.0.0'] };
      return appWith(root, {
        'package-lock.json': npmLock(registry, project),
        'nx.json': '{}',
        'apps/my-app/project.json': toJson({ name: 'my-app', targets: { build: {} } }),
        'apps/my-app/capacitor.config.json': toJson({ webDir: '../../dist/apps/my-app' }),
      });
    },
    entry: { baseDir: 'apps/my-app' },
    expected: {
      log: [inRoot('the npm of Node.js', 'package-lock.json')],
      installedBy: 'npm/',
      packages: { tiny: '1.0.0' },
    },
  },
  {
    name: 'Turborepo',
    files: (registry) => {
      const project = workspaceWith('*', { workspaces, dependencies: { turbo: '1.0.0' } });
      const locked = { ...project, locked: [...project.locked, 'turbo@1.0.0'] };
      return {
        ...filesOf(locked),
        'package-lock.json': npmLock(registry, locked),
        'turbo.json': toJson({ tasks: { build: {} } }),
      };
    },
    entry: { ...entry, webBuildCommand: 'npx turbo run build --filter=@acme/shop' },
    expected: {
      log: [inRoot('the npm of Node.js', 'package-lock.json')],
      installedBy: 'npm/',
      packages: WORKSPACE_AS_LOCKED,
    },
  },
  {
    name: 'the folder of an app without the root',
    tools: [pnpm9],
    files: () => within('apps/shop', filesOf(pnpm)),
    expected: {
      step: 'configuration',
      message:
        /^package\.json needs "@acme\/core": "workspace:\*", and the upload does not have the root of the workspace: call apps:builds:create in the root/,
    },
  },
];
