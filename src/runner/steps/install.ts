import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { AppCache, type CacheContent } from './caches/app-cache.js';
import { modulesKey } from './caches/modules-key.js';
import { type BuildProject, timed } from './build-project.js';
import type { BuildRun } from './build-run.js';
import type { BuildOptions } from './build-options.js';

/** Installs the dependencies of a project, and keeps them for later builds of the app. */
export class Installation {
  /** The cache that was restored is for exactly these dependencies. */
  private isUnchanged = false;

  private constructor(
    private readonly project: BuildProject,
    private readonly cache: AppCache | null,
    private readonly key: string | null,
  ) {}

  /**
   * Restores the cache of the app and installs.
   *
   * @throws StepError when the command fails
   */
  static async install(project: BuildProject, options: BuildOptions): Promise<Installation> {
    const { run, config, files, node } = project;
    const { cacheDir, cacheMiB } = options;
    const cache = cacheMiB === 0 ? null : new AppCache(cacheDir, cacheName(run.payload), cacheMiB);
    const key = cache === null ? null : await modulesKey(files, config, node);
    const installation = new Installation(project, cache, key);
    if (cache !== null) await timed(run, 'Restoring the cache', () => installation.restore(cache));
    // What the lock file names is there, so npm need not ask the registry what else there is by now.
    const env: Record<string, string> = installation.isUnchanged ? { npm_config_prefer_offline: 'true' } : {};
    await project.execute('install', 'Installing dependencies', config.installCommand, env);
    return installation;
  }

  /** Keeps the cache, if the build may write it. To be called when the build has succeeded; never fails. */
  async keep(): Promise<void> {
    const { cache, project } = this;
    const { run } = project;
    if (cache === null || !run.payload.build.mayWriteCache) return;
    if (this.isUnchanged) {
      run.log.line('The cache of the app is up to date');
      return;
    }
    const content: CacheContent = { packages: run.folders.cache, modules: await this.installedModules() };
    await timed(run, 'Keeping the cache', async () => {
      const size = await cache.promote(content).catch((error: unknown) => {
        // The build has succeeded all the same.
        const { code = 'unknown error' } = error as NodeJS.ErrnoException;
        run.log.line(`The cache of the app could not be kept: ${code}`);
      });
      if (size === undefined) return;
      run.log.line(
        size === null
          ? 'The cache is larger than this runner allows (RUNNER_CACHE): the next build begins without one'
          : `The cache of the app has ${Math.ceil(size / 1024 ** 2)} MiB`,
      );
    });
  }

  private async restore(cache: AppCache): Promise<void> {
    const { run } = this.project;
    const hasPackages = await cache.restorePackages(run.folders.cache, run.signal);
    run.log.line(hasPackages ? 'Found a cache of the app' : 'The app has no cache yet');
    const target = await this.modulesFolder();
    if (this.key === null || target === null || (await exists(target))) return;
    this.isUnchanged = await cache.restoreModules(target, this.key, run.signal);
    if (this.isUnchanged) run.log.line('Restored node_modules: the lock file has not changed');
  }

  private async installedModules(): Promise<CacheContent['modules']> {
    const { key } = this;
    const path = await this.modulesFolder();
    if (key === null || path === null) return null;
    const stats = await lstat(path).catch(() => null);
    // A link is not followed.
    return stats?.isDirectory() === true ? { path, key } : null;
  }

  private async modulesFolder(): Promise<string | null> {
    const { files, config } = this.project;
    const folder = await files.resolve('install', config.baseDir);
    return folder === null ? null : join(folder, 'node_modules');
  }
}

/** Each environment has a cache of its own, because builds of different ones can have different rights. */
function cacheName({ app, build }: BuildRun['payload']): string {
  return `${app.id}-${build.cacheKey}`;
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
