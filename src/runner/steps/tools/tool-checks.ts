import { execFile } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Check } from '../../sandbox/check.js';
import type { BuildOptions } from '../build-options.js';
import { findNodeVersions } from './node-versions.js';

/** How long the registry may take to respond, in milliseconds. */
const TRY = 10_000;
const TOOLS = ['node', 'npm', 'pnpm', 'yarn', 'bun'];

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
  const others = options.nodeDownloads ? '; others come from the npm registry (RUNNER_NODE_DOWNLOADS)' : '';
  const node: Check = { name: 'Node.js', status: 'ok', message: versions.join(', ') + others };
  return [
    node,
    ...(await Promise.all(checks)),
    await registryCheck(options.toolRegistry),
    await storeCheck(options),
  ];
}

/** Builds whose package manager is not there need it. Any response will do: not every registry knows this path. */
async function registryCheck(registry: string): Promise<Check> {
  const name = 'npm registry';
  try {
    const response = await fetch(`${registry}-/ping`, {
      redirect: 'manual',
      signal: AbortSignal.timeout(TRY),
    });
    await response.body?.cancel();
    if (response.status < 500) return { name, status: 'ok', message: `${registry} responds.` };
    return { name, status: 'warning', message: `${registry} responds with ${response.status}. ${OFFLINE}` };
  } catch (error) {
    const { message, cause } = error as Error;
    const reason = cause instanceof Error && cause.message !== '' ? cause.message : message;
    return { name, status: 'warning', message: `${registry} cannot be reached: ${reason}. ${OFFLINE}` };
  }
}

const OFFLINE =
  'Builds get the package managers of exact versions that are in the tools folders, and no others.';

/** Which programs the runner has fetched for builds, and which are those of the operator. */
async function storeCheck({ storeDir, toolsDir }: BuildOptions): Promise<Check> {
  const found = [];
  for (const folder of toolsDir === null ? [storeDir] : [storeDir, toolsDir]) {
    const tools = await Promise.all(
      TOOLS.map(async (name) => {
        const versions = await readdir(join(folder, name)).catch(() => []);
        return versions.filter((version) => /^\d/.test(version)).map((version) => `${name} ${version}`);
      }),
    );
    found.push(`${folder}: ${tools.flat().join(', ') || 'none'}`);
  }
  return { name: 'Tools', status: 'ok', message: found.join('; ') };
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
