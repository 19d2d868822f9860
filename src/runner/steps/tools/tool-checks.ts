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
  checks.push(lfsCheck(options.gitLfs));
  const node: Check = { name: 'Node.js', status: 'ok', message: versions.join(', ') };
  return [node, ...(await Promise.all(checks))];
}

/** Without it, a build that would publish pointers fails. */
async function lfsCheck(isWanted: boolean | null): Promise<Check> {
  if (isWanted === false) {
    return {
      name: 'git-lfs',
      status: 'warning',
      message: 'builds get no files in Git LFS: RUNNER_GIT_LFS=false',
    };
  }
  return isWanted === true
    ? program('git-lfs', ['version'], 'failed', 'install git-lfs: RUNNER_GIT_LFS asks for it')
    : program(
        'git-lfs',
        ['version'],
        'warning',
        'install git-lfs: builds get no files in Git LFS without it',
      );
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
