import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { BuildOptions } from '../build-options.js';
import { type BuildProject, timed } from '../build-project.js';
import type { BuildRun } from '../build-run.js';
import { AppCache, type KeptCache, type LeftPart } from './app-cache.js';
import { cacheFolder, type CachePart, partRules } from './cache-parts.js';
import { gradleKey, modulesKey, packagesKey, podsKey, swiftPackagesKey } from './cache-keys.js';
import { isFolder } from './move-part.js';

const MIB = 1024 ** 2;

/** A part of the cache as a build has it. */
interface BuildPart {
  readonly part: CachePart;
  /** In the folders of the job; `null`: the project has no place for it. */
  readonly folder: string | null;
  readonly key: string | null;
  /** Whether it was restored. */
  readonly isRestored: boolean;
  /** Whether it was restored with the same key. */
  readonly isUnchanged: boolean;
}

const keyOf = {
  packages: packagesKey,
  node_modules: modulesKey,
  gradle: gradleKey,
  pods: podsKey,
  'swift-packages': swiftPackagesKey,
} as const;

/** The parts of the cache of an app that a build uses: copies, and what it leaves to later builds. */
export class BuildCaches {
  private constructor(
    private readonly run: BuildRun,
    private readonly cache: AppCache | null,
    private readonly parts: readonly BuildPart[],
    private readonly startedAt: number,
  ) {}

  /**
   * Restores parts of the cache of the app, before a command of the build runs.
   *
   * @param names what this build uses; the other parts stay unchanged
   * @throws StepError when a file of the project cannot be read
   */
  static async restore(
    project: BuildProject,
    { cacheDir, cacheMiB }: BuildOptions,
    names: readonly CachePart[],
  ): Promise<BuildCaches> {
    const { run } = project;
    const startedAt = Date.now();
    if (cacheMiB === 0) return new BuildCaches(run, null, [], startedAt);
    const cache = new AppCache(cacheDir, cacheName(run.payload), cacheMiB);
    const parts = await timed(run, 'Restoring the cache', async () => {
      const restored: BuildPart[] = [];
      for (const name of names) restored.push(await restorePart(project, cache, name));
      return restored;
    });
    const found = parts.filter(({ isRestored }) => isRestored).map(({ part }) => partRules[part].title);
    run.log.line(
      found.length === 0 ? 'The app has no cache yet' : `Found a cache of the app: ${found.join(', ')}`,
    );
    return new BuildCaches(run, cache, parts, startedAt);
  }

  /** Whether `node_modules` was restored for exactly the dependencies of the project. */
  get hasModules(): boolean {
    return this.parts.some(({ part, isUnchanged }) => part === 'node_modules' && isUnchanged);
  }

  /** Keeps what has changed, if the build may write the cache. To be called when the build has succeeded. @throws the reason of the signal */
  async keep(): Promise<void> {
    const { cache, run, parts } = this;
    if (cache === null || !run.payload.build.mayWriteCache) return;
    const left = await Promise.all(parts.map(leftOf));
    if (left.every(({ isUnchanged }) => isUnchanged)) {
      run.log.line('The cache of the app is up to date');
      return;
    }
    await timed(run, 'Keeping the cache', async () => {
      const kept = await cache.keep(left, this.startedAt, run.signal).catch((error: unknown) => {
        run.signal.throwIfAborted();
        // The build has succeeded all the same.
        const { code = 'unknown error' } = error as NodeJS.ErrnoException;
        run.log.line(`The cache of the app could not be kept: ${code}`);
      });
      if (kept !== undefined) report(run, kept);
    });
  }
}

async function restorePart(project: BuildProject, cache: AppCache, part: CachePart): Promise<BuildPart> {
  const { run } = project;
  const folder = await folderOf(project, part);
  const key = await keyOf[part](project);
  const isModules = part === 'node_modules';
  // What the repository has in this place, such as a link, stays.
  const isUseless = isModules && (key === null || (folder !== null && (await exists(folder))));
  if (folder === null || isUseless) return { part, folder, key, isRestored: false, isUnchanged: false };
  const wanted = isModules ? (key ?? undefined) : undefined;
  const found = await cache.restore(part, folder, wanted, run.signal);
  return { part, folder, key, isRestored: found !== undefined, isUnchanged: key !== null && found === key };
}

async function folderOf({ run, files, config }: BuildProject, part: CachePart): Promise<string | null> {
  if (part !== 'node_modules') return cacheFolder(run.folders.cache, part);
  const folder = await files.resolve('install', config.baseDir);
  return folder === null ? null : join(folder, 'node_modules');
}

async function leftOf({ part, folder, key, isUnchanged }: BuildPart): Promise<LeftPart> {
  const isKept = folder !== null && (part !== 'node_modules' || key !== null) && (await isFolder(folder));
  return { part, path: isKept ? folder : null, key, isUnchanged };
}

function report({ log }: BuildRun, { size, pruned, refused }: KeptCache): void {
  for (const part of refused) {
    log.line(
      `${partRules[part].title} cannot be kept, because it has too many files: the next build begins without`,
    );
  }
  for (const [part, bytes] of pruned) {
    log.line(
      `Removed ${mib(bytes)} MiB of ${partRules[part].title} that were not used for longest from the cache, so that it fits (RUNNER_CACHE)`,
    );
  }
  log.line(`The cache of the app has ${mib(size)} MiB`);
}

function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}

function mib(bytes: number): number {
  return Math.ceil(bytes / MIB);
}

/** Each environment has its own cache, because builds of different ones can have different rights. */
function cacheName({ app, build }: BuildRun['payload']): string {
  return `${app.id}-${build.cacheKey}`;
}
