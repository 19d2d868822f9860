import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Check } from '../sandbox/check.js';
import type { BuildOptions } from './build-options.js';
import { findNodeVersions } from './node-versions.js';

/** What an installation of Node.js has besides `bin`: the archive of nodejs.org, or the package `node` of npm. */
const INSTALLATION_FILES = ['LICENSE', 'package.json'];

/**
 * What of the machine builds must be able to read besides `/usr`: the versions of Node.js.
 *
 * @returns absolute paths of folders, and of programs that stand alone
 */
export function toolFolders({ nodeDir }: BuildOptions): string[] {
  const folders = [nodeFolder(realpathSync(process.execPath))];
  if (nodeDir !== null && existsSync(nodeDir)) folders.push(nodeDir, realpathSync(nodeDir));
  return [...new Set(folders)].filter((folder) => !/^\/(usr|bin)(\/|$)/.test(folder));
}

/** The whole installation, where it certainly is one: `~/.local/bin/node` must not show `~/.local`. */
function nodeFolder(program: string): string {
  const root = dirname(dirname(program));
  const isInstallation =
    program === join(root, 'bin/node') && INSTALLATION_FILES.some((name) => existsSync(join(root, name)));
  return isInstallation ? root : program;
}

/** Checks the tools that builds need. */
export async function toolChecks(options: BuildOptions): Promise<Check[]> {
  const versions = (await findNodeVersions(options.nodeDir)).map(({ version }) => version);
  const checks = [
    program('git', ['--version'], 'failed', 'install git: builds of repositories need it'),
    program(
      'npm',
      ['--version'],
      'warning',
      'install npm: builds need it unless they have commands of their own',
    ),
  ];
  if (options.gitLfs) {
    checks.push(program('git-lfs', ['version'], 'failed', 'install git-lfs: RUNNER_GIT_LFS asks for it'));
  }
  const node: Check = { name: 'Node.js', status: 'ok', message: versions.join(', ') };
  return [node, ...(await Promise.all(checks))];
}

async function program(
  name: string,
  args: readonly string[],
  status: Check['status'],
  advice: string,
): Promise<Check> {
  try {
    const { stdout } = await promisify(execFile)(name, args, { timeout: 10_000 });
    return { name, status: 'ok', message: (stdout.split('\n')[0] ?? '').replace(/^git version /, '') };
  } catch {
    return { name, status, message: advice };
  }
}
