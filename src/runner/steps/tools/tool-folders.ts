import { existsSync, readdirSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BuildOptions } from '../build-options.js';

/** What an installation of Node.js has besides `bin`: the archive of nodejs.org, or the package `node` of npm. */
const INSTALLATION_FILES = ['LICENSE', 'package.json'];

/**
 * What of the machine builds must be able to read besides `/usr`: the versions of Node.js, JDKs, the Android SDK,
 * and the folders with further programs.
 *
 * @returns absolute paths of folders
 */
export function toolFolders({
  nodeDir,
  androidHome,
  jdkDir,
  toolsDir,
  storeDir,
}: Pick<BuildOptions, 'nodeDir' | 'androidHome' | 'jdkDir' | 'toolsDir'> & {
  readonly storeDir: string | null;
}): string[] {
  const folders = [nodeFolder(realpathSync(process.execPath))];
  for (const folder of [nodeDir, androidHome, jdkDir, toolsDir, storeDir]) {
    if (folder !== null && existsSync(folder)) folders.push(folder, realpathSync(folder));
  }
  for (const folder of [nodeDir, jdkDir]) folders.push(...linkedFolders(folder));
  return [...new Set(folders)].filter((folder) => !/^\/(usr|bin)(\/|$)/.test(folder));
}

/** Where the links in a folder of versions lead to, such as `17` to `/opt/jdk-17.0.9`. */
function linkedFolders(folder: string | null): string[] {
  if (folder === null || !existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true })
    .map((entry) => ({ entry, path: join(folder, entry.name) }))
    .filter(({ entry, path }) => entry.isSymbolicLink() && existsSync(join(path, 'bin')))
    .map(({ path }) => realpathSync(path));
}

/** The whole installation with npm, where it certainly is one: `~/.local/bin/node` must not show `~/.local`. */
function nodeFolder(program: string): string {
  const bin = dirname(program);
  const root = dirname(bin);
  const isInstallation =
    bin === join(root, 'bin') && INSTALLATION_FILES.some((name) => existsSync(join(root, name)));
  return isInstallation ? root : bin;
}
