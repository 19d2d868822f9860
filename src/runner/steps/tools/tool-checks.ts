import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Check } from '../../sandbox/check.js';
import type { BuildOptions } from '../build-options.js';
import { findNodeVersions } from './node-versions.js';

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
