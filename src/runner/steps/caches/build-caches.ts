import type { BuildOptions } from '../build-options.js';
import { type BuildProject, timed } from '../build-project.js';
import { type BuildRun, variableOf } from '../build-run.js';
import { ChangeMark } from '../change-mark.js';
import { AppCache, type KeptCache, type LeftPart } from './app-cache.js';
import { cacheFolder, type CachePart, partRules } from './cache-parts.js';
import { removeChanged } from './changed-files.js';
import { gradleKey, modulesKey, packagesKey, podsKey, swiftPackagesKey } from './cache-keys.js';
import { ModuleFolders } from './module-folders.js';
import { isFolder } from './move-part.js';

const MIB = 1024 ** 2;

/** A part of the cache as a build has it. */
interface BuildPart {
  readonly part: CachePart;
  /** In the folders of the job. */
  readonly folder: string;
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

/** What installations leave: what changes later is the work of other programs, which may cache wrongly. */
const INSTALLED: readonly CachePart[] = ['packages', 'node_modules'];

/** The parts of the cache of an app that a build uses: copies, and what it leaves to later builds. */
export class BuildCaches {
  /** Files in `node_modules` after the installation; `null`: it is not known. */
  private moduleFiles: number | null = null;

  private constructor(
    private readonly run: BuildRun,
    private readonly cache: AppCache | null,
    private readonly modules: ModuleFolders,
    private readonly parts: readonly BuildPart[],
    private readonly startedAt: number,
    private installedAt: ChangeMark,
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
    const modules = await ModuleFolders.of(project);
    if (cacheMiB === 0) return new BuildCaches(run, null, modules, [], startedAt, project.startedAt);
    const cache = new AppCache(cacheDir, cacheName(run.payload), cacheMiB);
    await cache.removeDropped();
    const isUsed = !run.payload.build.noCache && variableOf(run, 'NO_CACHE')?.trim() !== 'true';
    const restore = async (): Promise<BuildPart[]> => {
      const restored: BuildPart[] = [];
      for (const name of names) restored.push(await restorePart(project, cache, modules, name, isUsed));
      return restored;
    };
    const parts = await (isUsed ? timed(run, 'Restoring the cache', restore) : restore());
    const found = parts.filter(({ isRestored }) => isRestored).map(({ part }) => partRules[part].title);
    if (!isUsed) run.log.line('This build uses no cache');
    else if (found.length === 0) run.log.line('The app has no cache yet');
    else run.log.line(`Found a cache of the app: ${found.join(', ')}`);
    return new BuildCaches(run, cache, modules, parts, startedAt, await ChangeMark.now(run.folders.root));
  }

  /** To be called when the dependencies are installed: nothing in them that changes later is kept. */
  async noteInstalled(): Promise<void> {
    const { cache, run } = this;
    if (cache === null || !run.payload.build.mayWriteCache) return;
    if (this.parts.some(({ part, key }) => part === 'node_modules' && key !== null)) {
      this.moduleFiles = await this.modules.count(run.signal).catch(() => null);
    }
    run.signal.throwIfAborted();
    this.installedAt = await ChangeMark.now(run.folders.root);
  }

  /** Whether `node_modules` was restored for exactly the dependencies of the project. */
  get hasModules(): boolean {
    return this.parts.some(({ part, isUnchanged }) => part === 'node_modules' && isUnchanged);
  }

  /** Keeps what has changed, if the build may write the cache. To be called when the build has succeeded. @throws the reason of the signal */
  async keep(): Promise<void> {
    const { cache, run, parts } = this;
    if (cache === null || !run.payload.build.mayWriteCache) return;
    if (parts.every(({ isUnchanged }) => isUnchanged)) {
      run.log.line('The cache of the app is up to date');
      return;
    }
    await timed(run, 'Keeping the cache', async () => {
      const kept = await this.keepIn(cache).catch((error: unknown) => {
        run.signal.throwIfAborted();
        // The build has succeeded all the same.
        const { code = 'unknown error' } = error as NodeJS.ErrnoException;
        run.log.line(`The cache of the app could not be kept: ${code}`);
      });
      if (kept !== undefined) report(run, kept);
    });
  }

  private async keepIn(cache: AppCache): Promise<KeptCache> {
    const left: LeftPart[] = [];
    for (const buildPart of this.parts) {
      const { part, folder, key, isUnchanged } = buildPart;
      left.push({ part, path: (await this.isOfUse(buildPart)) ? folder : null, key, isUnchanged });
    }
    return cache.keep(left, this.startedAt, this.run.signal);
  }

  /** Takes what has changed since the installation out of a part. @returns whether what is left can be kept */
  private async isOfUse({ part, folder, key, isUnchanged }: BuildPart): Promise<boolean> {
    const isModules = part === 'node_modules';
    if (isModules ? key === null || this.moduleFiles === null : !(await isFolder(folder))) return false;
    if (!INSTALLED.includes(part)) return true;
    const { run, installedAt, moduleFiles } = this;
    if (await installedAt.isUnreliable()) {
      run.log.line(`${partRules[part].title} cannot be kept, because the clock of the runner was set back`);
      return false;
    }
    if (!isModules) {
      await removeChanged(folder, installedAt, run.signal);
      return true;
    }
    const isComplete = (await this.modules.collect(folder, installedAt, run.signal)) === moduleFiles;
    if (!isComplete && !isUnchanged) {
      run.log.line('node_modules is not kept, because the build has changed installed files in it');
    }
    return isComplete;
  }
}

async function restorePart(
  project: BuildProject,
  cache: AppCache,
  modules: ModuleFolders,
  part: CachePart,
  isUsed: boolean,
): Promise<BuildPart> {
  const { run } = project;
  const folder = cacheFolder(run.folders.cache, part);
  const key = await keyOf[part](project);
  const isModules = part === 'node_modules';
  // What the repository has in this place, such as a link, stays.
  const isUseless = isModules && (key === null || !(await modules.areFree()));
  if (isUseless || !isUsed) return { part, folder, key, isRestored: false, isUnchanged: false };
  const found = await cache.restore(part, folder, key, run.signal);
  const isRestored = found !== undefined && (!isModules || (await modules.place(folder, run.signal)));
  return { part, folder, key, isRestored, isUnchanged: isRestored && key !== null && found === key };
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

function mib(bytes: number): number {
  return Math.ceil(bytes / MIB);
}

/** Each environment has its own cache, because builds of different ones can have different rights. */
function cacheName({ app, build }: BuildRun['payload']): string {
  return `${app.id}-${build.cacheKey}`;
}
