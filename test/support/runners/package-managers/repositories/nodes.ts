import { appWith, AS_LOCKED, lockFiles } from '../projects.js';
import type { Repository } from './repository.js';

/** What `RUNNER_NODE_DIR` has besides the Node.js of the runner. */
export const NODE_22 = 'v22.11.0';

const npm = { installedBy: 'npm/', packages: AS_LOCKED };

export const nodeRepositories: readonly Repository[] = [
  {
    name: '.nvmrc',
    files: (registry) => appWith({}, { ...lockFiles.npm(registry), '.nvmrc': 'v22\n' }),
    expected: { ...npm, node: NODE_22, log: ['Using Node.js 22.11.0, as .nvmrc says\n'] },
  },
  {
    name: '.nvmrc of a version that the runner does not have',
    files: (registry) => appWith({}, { ...lockFiles.npm(registry), '.nvmrc': '18\n' }),
    expected: {
      step: 'configuration',
      message: /^This runner does not have the Node\.js that \.nvmrc names \("18"\): it has 22\.11\.0, 24\./,
    },
  },
  {
    name: 'NODE_VERSION and .nvmrc',
    files: (registry) => appWith({}, { ...lockFiles.npm(registry), '.nvmrc': '18\n' }),
    environment: { NODE_VERSION: '22' },
    expected: { ...npm, node: NODE_22, log: ['Using Node.js 22.11.0, as NODE_VERSION says\n'] },
  },
  {
    name: '.node-version',
    files: (registry) => appWith({}, { ...lockFiles.npm(registry), '.node-version': '22.11.0\n' }),
    expected: { ...npm, node: NODE_22, log: ['Using Node.js 22.11.0, as .node-version says\n'] },
  },
  {
    name: 'volta',
    files: (registry) => appWith({ volta: { node: '22.11.0' } }, lockFiles.npm(registry)),
    expected: { ...npm, node: NODE_22, log: ['Using Node.js 22.11.0, as volta in package.json says\n'] },
  },
  {
    name: 'devEngines',
    files: (registry) =>
      appWith({ devEngines: { runtime: { name: 'node', version: '^22.0.0' } } }, lockFiles.npm(registry)),
    expected: {
      ...npm,
      node: NODE_22,
      log: ['Using Node.js 22.11.0, as devEngines in package.json says (^22.0.0)\n'],
    },
  },
  {
    name: 'engines of another version',
    files: (registry) => appWith({ engines: { node: '18.x' } }, lockFiles.npm(registry)),
    expected: {
      ...npm,
      node: process.version,
      log: ['Warning: engines in package.json asks for Node.js 18.x'],
    },
  },
];
