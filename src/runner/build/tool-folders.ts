import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { BuildOptions } from './build-options.js';
import { machineCertificates } from '../tools/machine-certificates.js';

/** What an installation of Node.js has besides `bin`: the archive of nodejs.org, or the package `node` of npm. */
const INSTALLATION_FILES = ['LICENSE', 'package.json'];

/**
 * What of the machine builds must be able to read besides `/usr` and `/etc/ssl`: the versions of Node.js, and
 * certificates.
 *
 * @returns absolute paths of folders, and of programs that stand alone
 */
export function toolFolders({ nodeDir }: BuildOptions): string[] {
  const folders = [nodeFolder(realpathSync(process.execPath))];
  if (nodeDir !== null && existsSync(nodeDir)) folders.push(nodeDir, realpathSync(nodeDir));
  folders.push(...Object.values(machineCertificates()));
  return [...new Set(folders)].filter((folder) => !/^\/(usr|bin|etc\/ssl)(\/|$)/.test(folder));
}

/** The whole installation, where it certainly is one: `~/.local/bin/node` must not show `~/.local`. */
function nodeFolder(program: string): string {
  const root = dirname(dirname(program));
  const isInstallation =
    program === join(root, 'bin/node') && INSTALLATION_FILES.some((name) => existsSync(join(root, name)));
  return isInstallation ? root : program;
}
