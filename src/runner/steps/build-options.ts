/** How builds are made on this machine. */
export interface BuildOptions {
  /** Folder with the caches of all apps. */
  readonly cacheDir: string;
  /** Largest cache of one app, in MiB; 0: builds have no caches. All apps together have ten times as much. */
  readonly cacheMiB: number;
  /** Folder with versions of Node.js: `<nodeDir>/<major>/bin/node`; `null`: only the one of the runner. */
  readonly nodeDir: string | null;
  /** Whether builds get versions of Node.js from the registry that this machine does not have. */
  readonly nodeDownloads: boolean;
  /** Folder of the programs that the runner fetches for builds: `<storeDir>/<name>/<version>/bin`. */
  readonly storeDir: string;
  /** The npm registry that these come from, and nothing that a project names. Ends with a slash. */
  readonly toolRegistry: string;
  /** The Android SDK; `null`: there is none. */
  readonly androidHome: string | null;
  /** Folder with JDKs: `<jdkDir>/<any name>/bin/java`; `null`: only those of the machine. */
  readonly jdkDir: string | null;
  /** Folder with versions of Xcode, such as `<xcodeDir>/Xcode-26.2.app`. */
  readonly xcodeDir: string;
  /**
   * Folder with further programs, such as `pod`, which come before those of the machine, and with package managers:
   * `<toolsDir>/pnpm/<version>/bin/pnpm`; `null`: none.
   */
  readonly toolsDir: string | null;
  /** Folder for what signing leaves while it runs: keychains, and notes of what to remove. All runners of a user share it. */
  readonly signingDir: string;
  /** Memory of one build, in MiB. */
  readonly memoryMiB: number;
  /** Whether submodules are fetched. */
  readonly gitSubmodules: boolean;
  /** Whether files in Git LFS are fetched, which needs the program `git-lfs`; `null`: where it is installed. */
  readonly gitLfs: boolean | null;
}
