import type { BuildProject } from './build-project.js';
import type { BuildCaches } from './caches/build-caches.js';
import { MAX_LOCK_BYTES } from './packages/choose-manager.js';
import { describeLockChanges } from './packages/lock-changes.js';

/**
 * Installs the dependencies of a project.
 *
 * @param caches restored before
 * @throws StepError when the command fails
 */
export async function installDependencies(project: BuildProject, caches: BuildCaches): Promise<void> {
  // What the lock file names is there, so npm need not ask the registry what else there is by now.
  const env: Record<string, string> = caches.hasModules ? { npm_config_prefer_offline: 'true' } : {};
  const { installCommand, installDir, manager } = project.config;
  const before = await readLock(project);
  await project.execute('install', 'Installing dependencies', installCommand, { env, cwd: installDir });
  const changes = describeLockChanges(before, await readLock(project));
  if (changes !== null) {
    project.run.log.line(
      `WARNING: ${manager.lock} does not fit package.json, so other versions were installed than it names: ${changes}. Run npm install, and commit it with package.json.`,
    );
  }
  await caches.noteInstalled();
}

/** The lock file of npm, which alone may change it. @returns empty: there is none */
async function readLock({ files, config }: BuildProject): Promise<string> {
  const { lock } = config.manager;
  if (lock === null || !lock.endsWith('.json')) return '';
  return (await files.read('install', lock, MAX_LOCK_BYTES)) ?? '';
}
