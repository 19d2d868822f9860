import { berryLock } from '../locks.js';
import { fileInPackage } from '../machine-tools.js';
import { app, appWith, AS_LOCKED, type Files, lockedApp, lockFiles } from '../projects.js';
import type { Repository } from './repository.js';
import { agent, declaration, label, tools } from './tools.js';

const { yarn1, yarn4, yarn4Before } = tools;
const BERRY = declaration(yarn4);
const RELEASE = `.yarn/releases/${BERRY.replace('@', '-')}.cjs`;

/** Yarn as projects commit it. */
export function releaseOf(settings: Readonly<Record<string, string>> = {}): Files {
  const rows = Object.entries({ yarnPath: RELEASE, ...settings }).map(([key, value]) => `${key}: ${value}\n`);
  return { '.yarnrc.yml': rows.join(''), [RELEASE]: fileInPackage(yarn4, 'bin/yarn.js') };
}

const byRelease = `Installing with ${RELEASE}, because of "yarnPath" of .yarnrc.yml\n`;
const byBerry = agent(yarn4);
const newer = { dependencies: { ...app.dependencies, tiny: '^1.0.1' } };

export const yarnRepositories: readonly Repository[] = [
  {
    name: 'yarn.lock of Yarn 1',
    tools: [yarn1],
    files: (registry) => appWith({}, lockFiles.yarn(registry)),
    expected: {
      log: [`Installing with ${label(yarn1)}, because of yarn.lock\n`],
      installedBy: agent(yarn1),
      packages: AS_LOCKED,
    },
  },
  {
    name: `packageManager ${yarn1}`,
    tools: [yarn1],
    files: (registry) => appWith({ packageManager: yarn1 }, lockFiles.yarn(registry)),
    expected: {
      log: [`Installing with ${label(yarn1)}, because of "packageManager" of package.json\n`],
      installedBy: agent(yarn1),
      packages: AS_LOCKED,
    },
  },
  {
    name: 'yarn.lock of Yarn 1 that does not fit package.json',
    tools: [yarn1],
    files: (registry) => appWith(newer, lockFiles.yarn(registry)),
    expected: {
      step: 'install',
      message: /^The command "yarn install --non-interactive --frozen-lockfile" failed/,
      log: ['needs to be updated'],
    },
  },
];

export const berryRepositories: readonly Repository[] = [
  {
    name: '.yarn/releases with node_modules',
    tools: [yarn4],
    files: (registry) =>
      appWith({}, { ...lockFiles.berry(registry), ...releaseOf({ nodeLinker: 'node-modules' }) }),
    expected: { log: [byRelease], installedBy: byBerry, packages: AS_LOCKED },
  },
  {
    name: '.yarn/releases with Plug’n’Play',
    tools: [yarn4],
    files: (registry) => appWith({}, { ...lockFiles.berry(registry), ...releaseOf() }),
    expected: { log: [byRelease], installedBy: byBerry, packages: AS_LOCKED },
  },
  {
    name: 'Plug’n’Play with a configuration of Capacitor that is a program',
    tools: [yarn4],
    files: (registry) => {
      const withCap = { ...app, dependencies: { '@capacitor/cli': '1.0.0', ...app.dependencies } };
      const project = { folders: { '': withCap }, locked: ['@capacitor/cli@1.0.0', ...lockedApp.locked] };
      return appWith(withCap, {
        'yarn.lock': berryLock(registry, project),
        'capacitor.config.js': "module.exports = { webDir: 'www' };\n",
        ...releaseOf(),
      });
    },
    expected: { log: [byRelease, 'Reading capacitor.config.js'], installedBy: byBerry, packages: AS_LOCKED },
  },
  {
    name: `packageManager ${BERRY}`,
    tools: [yarn4],
    files: (registry) =>
      appWith(
        { packageManager: BERRY },
        { ...lockFiles.berry(registry), '.yarnrc.yml': 'nodeLinker: node-modules\n' },
      ),
    expected: {
      log: [`Installing with ${label(yarn4)}, because of "packageManager" of package.json\n`],
      installedBy: byBerry,
      packages: AS_LOCKED,
    },
  },
  {
    name: 'yarn.lock of Yarn 4',
    tools: [yarn4],
    files: (registry) => appWith({}, lockFiles.berry(registry)),
    expected: {
      log: [`Installing with ${label(yarn4)}, because of yarn.lock\n`],
      installedBy: byBerry,
      packages: AS_LOCKED,
    },
  },
  {
    name: 'yarn.lock of an older Yarn 4',
    tools: [yarn4Before],
    files: (registry) => appWith({}, { 'yarn.lock': berryLock(registry, lockedApp, 8) }),
    expected: {
      log: [`Installing with ${label(yarn4Before)}, because of yarn.lock\n`],
      installedBy: agent(yarn4Before),
      packages: AS_LOCKED,
    },
  },
  {
    name: 'yarn.lock of Yarn 4 that does not fit package.json',
    tools: [yarn4],
    files: (registry) => appWith({ ...newer, packageManager: BERRY }, lockFiles.berry(registry)),
    expected: {
      step: 'install',
      message: /^The command "yarn install --immutable" failed/,
      log: ['The lockfile would have been modified by this install, which is explicitly forbidden.'],
    },
  },
];
