import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const suite = join(import.meta.dirname, '../../test/plugins');

/** What the suite downloads and makes: ignored by git, and kept by `npm ci`. */
export const cacheFolder = join(suite, '.cache');
/** What stands for Android, and the app. */
export const stubsFolder = join(suite, 'java');

/** What the suite downloads, with its checksums. */
export interface PluginLock {
  /** The versions of the plugin, newest first, with the version of `@capacitor/android` that each is compiled with. */
  readonly plugins: Readonly<Record<string, string>>;
  /** Subresource integrity (SHA-512) of the archive of each npm package, such as `@capacitor/android@8.5.2`. */
  readonly packages: Readonly<Record<string, string>>;
  /** The package that has the jars, the folder in it, and the SHA-256 of each in hex. */
  readonly jars: {
    readonly package: string;
    readonly folder: string;
    readonly files: Readonly<Record<string, string>>;
  };
}

export const lock = JSON.parse(readFileSync(join(suite, 'lock.json'), 'utf8')) as PluginLock;
