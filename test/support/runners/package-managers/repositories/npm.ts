import { npmLock } from '../locks.js';
import { app, appWith, AS_LOCKED, lockedApp, lockFiles, NEWEST } from '../projects.js';
import type { Repository } from './repository.js';
import { agent, label, tools } from './tools.js';

const because = (file: string): string => `Installing with the npm of Node.js, because of ${file}\n`;
const NOTHING = 'Installing with the npm of Node.js, because the project names no package manager\n';
const NO_LOCK = 'There is no lock file, so the newest versions are installed that package.json allows\n';
const CHANGED =
  'WARNING: package-lock.json does not fit package.json, so other versions were installed than it names: tiny 1.0.0 → 1.1.0. Run npm install, and commit it with package.json.\n';

export const npmRepositories: readonly Repository[] = [
  {
    name: 'package-lock.json',
    files: (registry) => appWith({}, lockFiles.npm(registry)),
    expected: { log: [because('package-lock.json')], installedBy: 'npm/', packages: AS_LOCKED },
  },
  {
    name: 'package-lock.json that does not fit package.json',
    files: (registry) =>
      appWith({ dependencies: { ...app.dependencies, tiny: '^1.0.1' } }, lockFiles.npm(registry)),
    expected: {
      log: [because('package-lock.json'), CHANGED],
      installedBy: 'npm/',
      packages: { tiny: '1.1.0', 'uses-tiny': '1.0.0 with tiny 1.1.0' },
    },
  },
  {
    name: 'npm-shrinkwrap.json',
    files: (registry) => appWith({}, { 'npm-shrinkwrap.json': npmLock(registry, lockedApp) }),
    expected: { log: [because('npm-shrinkwrap.json')], installedBy: 'npm/', packages: AS_LOCKED },
  },
  {
    name: 'no lock file',
    files: () => appWith({}),
    expected: { log: [NOTHING, NO_LOCK], installedBy: 'npm/', packages: NEWEST },
  },
  {
    name: 'packageManager npm',
    tools: [tools.npm],
    files: (registry) => appWith({ packageManager: tools.npm }, lockFiles.npm(registry)),
    expected: {
      log: [`Installing with ${label(tools.npm)}, because of "packageManager" of package.json\n`],
      installedBy: agent(tools.npm),
      packages: AS_LOCKED,
    },
  },
];
