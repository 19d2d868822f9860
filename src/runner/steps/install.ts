import type { BuildProject } from './build-project.js';
import type { BuildCaches } from './caches/build-caches.js';

/**
 * Installs the dependencies of a project.
 *
 * @param caches restored before
 * @throws StepError when the command fails
 */
export async function installDependencies(project: BuildProject, caches: BuildCaches): Promise<void> {
  // What the lock file names is there, so npm need not ask the registry what else there is by now.
  const env: Record<string, string> = caches.hasModules ? { npm_config_prefer_offline: 'true' } : {};
  await project.execute('install', 'Installing dependencies', project.config.installCommand, env);
  await caches.noteInstalled();
}
