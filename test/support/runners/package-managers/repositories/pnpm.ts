import { oldPnpmLock } from '../locks.js';
import { app, appWith, AS_LOCKED, lockedApp, lockFiles } from '../projects.js';
import type { Repository } from './repository.js';
import { agent, label, tools } from './tools.js';

const { pnpm8, pnpm9, pnpm10, pnpm11, pnpm12 } = tools;

const because = (pnpm: string): string => `Installing with ${label(pnpm)}, because of pnpm-lock.yaml\n`;

/** A project that names its pnpm. */
const pinned = (pnpm: string): Repository => ({
  name: `packageManager ${pnpm}`,
  tools: pnpm === pnpm12 ? [pnpm12, tools.pnpm12Program] : [pnpm],
  files: (registry) => appWith({ packageManager: pnpm }, lockFiles.pnpm(registry)),
  expected: {
    log: [`Installing with ${label(pnpm)}, because of "packageManager" of package.json\n`],
    installedBy: agent(pnpm),
    packages: AS_LOCKED,
  },
});

export const pnpmRepositories: readonly Repository[] = [
  ...[pnpm9, pnpm10, pnpm11, pnpm12].map(pinned),
  {
    name: 'pnpm-lock.yaml 9.0',
    tools: [pnpm10],
    files: (registry) => appWith({}, lockFiles.pnpm(registry)),
    expected: { log: [because(pnpm10)], installedBy: agent(pnpm10), packages: AS_LOCKED },
  },
  {
    name: 'pnpm-lock.yaml 6.0',
    tools: [pnpm8],
    files: (registry) => appWith({}, { 'pnpm-lock.yaml': oldPnpmLock(registry, lockedApp) }),
    expected: { log: [because(pnpm8)], installedBy: agent(pnpm8), packages: AS_LOCKED },
  },
  {
    name: 'pnpm-lock.yaml that does not fit package.json',
    tools: [pnpm9],
    files: (registry) =>
      appWith(
        { packageManager: pnpm9, dependencies: { ...app.dependencies, tiny: '^1.0.1' } },
        lockFiles.pnpm(registry),
      ),
    expected: {
      step: 'install',
      message: /^The command "pnpm install --frozen-lockfile" failed/,
      log: ['ERR_PNPM_OUTDATED_LOCKFILE'],
    },
  },
];
