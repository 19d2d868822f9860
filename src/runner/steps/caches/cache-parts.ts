import { join } from 'node:path';

/** The parts of the cache of an app, each of which has its own key and versions. */
export const cacheParts = ['packages', 'node_modules', 'gradle', 'pods', 'swift-packages'] as const;

/**
 * `packages`: what npm, pnpm and Yarn download; `node_modules`: installed packages; `gradle`: dependencies and
 * distributions of Gradle; `pods`: what CocoaPods downloads; `swift-packages`: repositories of Swift packages.
 */
export type CachePart = (typeof cacheParts)[number];

/** What is kept of a part, by paths relative to its folder, in which `*` matches any name. */
export interface PartRules {
  /** As the log calls it. */
  readonly title: string;
  /** The folders that are kept; empty: all. */
  readonly only: readonly string[];
  /** Names of files and folders that are not kept, wherever they are. */
  readonly without: RegExp | null;
  /**
   * What is removed as a unit, such as an unpacked package, which is broken if a part is missing. A pattern that ends
   * with `/**` names a store of single files. Folders that begin no pattern are entries, too. `null`: the part is one
   * entry.
   */
  readonly entries: readonly string[] | null;
}

/** Locks, partial downloads, journals of use, and keys belong to one machine and one run. */
const GRADLE_RUN = /^(?:.+\.(?:lock|lck|part)|gc\.properties|journal-\d+|cc-keystore)$/;

export const partRules: Readonly<Record<CachePart, PartRules>> = {
  packages: {
    title: 'packages',
    only: [],
    without: null,
    entries: ['npm/_cacache/**', 'npm/_npx/*', 'yarn/*/*', 'pnpm/store/*/files/**', 'pnpm/store/*/index/**'],
  },
  node_modules: { title: 'node_modules', only: [], without: null, entries: null },
  gradle: {
    title: 'Gradle',
    only: ['caches', 'wrapper/dists'],
    without: GRADLE_RUN,
    entries: [
      'wrapper/dists/*/*',
      'caches/modules-*/files-*/*/*/*',
      'caches/transforms-*/*',
      'caches/*/transforms/*',
      'caches/*/kotlin-dsl/*/*',
      'caches/jars-*/*',
      'caches/build-cache-*/**',
    ],
  },
  pods: {
    title: 'Pods',
    only: ['repos', 'cache'],
    without: null,
    entries: ['repos/*', 'cache/Pods/Release/*/*', 'cache/Pods/External/*/*'],
  },
  // What else Xcode has there names paths of the job, which the next one does not have.
  'swift-packages': {
    title: 'Swift packages',
    only: ['repositories'],
    without: null,
    entries: ['repositories/*'],
  },
};

/**
 * Where tools keep what is cached, in the folder `cache` of a job. Gradle gets it as `GRADLE_USER_HOME`,
 * CocoaPods as `CP_HOME_DIR`.
 *
 * @param cache of `JobFolders`, or of `InnerFolders` for commands of the build
 */
export function cacheFolder(cache: string, part: Exclude<CachePart, 'node_modules'>): string {
  return join(cache, part);
}
