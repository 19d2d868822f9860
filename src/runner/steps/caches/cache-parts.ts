import { join } from 'node:path';

/** The parts of the cache of an app, each of which has its own key and versions. */
export const cacheParts = ['packages', 'node_modules', 'gradle', 'pods', 'swift-packages'] as const;

/**
 * `packages`: what npm, pnpm, Yarn and bun download; `node_modules`: installed packages; `gradle`: dependencies and
 * distributions of Gradle; `pods`: what CocoaPods downloads; `swift-packages`: repositories of Swift packages.
 */
export type CachePart = (typeof cacheParts)[number];

/** What is kept of a part, by paths relative to its folder, in which `*` matches any name. */
export interface PartRules {
  /** As the log calls it. */
  readonly title: string;
  /** The folders that are kept; empty: all. */
  readonly only: readonly string[];
  /**
   * Folders with what came from servers as it is, which no setting of a build changes: they come back with every key. The
   * rest is what programs made of it, and comes back with the same key only.
   */
  readonly downloads: readonly string[];
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
/** Downloads, and what Gradle itself makes of them under the hash of all that went in. Outputs of tasks are no part of it. */
const GRADLE_DOWNLOADS = ['caches/modules-*', 'wrapper/dists'];
const GRADLE_DERIVED = [
  'caches/jars-*',
  'caches/transforms-*',
  'caches/*/transforms',
  'caches/*/kotlin-dsl',
  'caches/*/groovy-dsl',
  'caches/*/generated-gradle-jars',
];

export const partRules: Readonly<Record<CachePart, PartRules>> = {
  packages: {
    title: 'packages',
    only: [],
    downloads: ['npm/_cacache', 'pnpm/store', 'yarn', 'bun'],
    without: null,
    entries: [
      'npm/_cacache/**',
      'npm/_npx/*',
      'yarn/*/*',
      'pnpm/store/*/files/**',
      'pnpm/store/*/index/**',
      'bun/*',
    ],
  },
  node_modules: { title: 'node_modules', only: [], downloads: [], without: null, entries: null },
  gradle: {
    title: 'Gradle',
    only: [...GRADLE_DOWNLOADS, ...GRADLE_DERIVED],
    downloads: GRADLE_DOWNLOADS,
    without: GRADLE_RUN,
    entries: [
      'wrapper/dists/*/*',
      'caches/modules-*/files-*/*/*/*',
      'caches/transforms-*/*',
      'caches/*/transforms/*',
      'caches/*/kotlin-dsl/*/*',
      'caches/jars-*/*',
    ],
  },
  pods: {
    title: 'Pods',
    only: ['repos', 'cache'],
    downloads: ['repos'],
    without: null,
    entries: ['repos/*', 'cache/Pods/Release/*/*', 'cache/Pods/External/*/*'],
  },
  // What else Xcode has there names paths of the job, which the next one does not have.
  'swift-packages': {
    title: 'Swift packages',
    only: ['repositories'],
    downloads: ['repositories'],
    without: null,
    entries: ['repositories/*'],
  },
};

/**
 * Where tools keep what is cached, in the folder `cache` of a job. Gradle gets it as `GRADLE_USER_HOME`, CocoaPods as
 * `CP_HOME_DIR`. What is in `node_modules` is there before and after the build only: see `ModuleFolders`.
 *
 * @param cache of `JobFolders`, or of `InnerFolders` for commands of the build
 */
export function cacheFolder(cache: string, part: CachePart): string {
  return join(cache, part);
}
