import { access, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../project/project-folder.js';
import { PackageError } from './unpack-package.js';

const NAME = /^[a-z][a-z0-9-]*$/;
/** A program in JavaScript. */
const PROGRAM = /^[\w./-]+\.[cm]?js$/;

/**
 * Writes a program into the folder `bin` of a version.
 *
 * @param folder of the version
 * @param program `path`: what runs, relative to the folder; `before` and `after`: what the command has around it
 */
export async function writeProgram(
  folder: string,
  name: string,
  { path, before = '', after = '' }: { path: string; before?: string; after?: string },
): Promise<void> {
  const script = `#!/bin/sh\nexec ${before}"\${0%/*}/../${path}"${after} "$@"\n`;
  await mkdir(join(folder, 'bin'), { recursive: true });
  await writeFile(join(folder, 'bin', name), script, { mode: 0o755 });
}

/**
 * Writes the programs that a package names in `bin`, if they are JavaScript. They run with the Node.js of the build.
 *
 * @param packagePath of the package, relative to the folder
 * @throws PackageError when the package has none
 */
export async function writePackagePrograms(folder: string, packagePath: string): Promise<void> {
  const bin = await readBin(join(folder, packagePath, 'package.json'));
  const programs = Object.entries(bin).map(([name, file]) => [name, String(file)] as const);
  const usable = programs.filter(([name, file]) => NAME.test(name) && PROGRAM.test(file));
  if (usable.length === 0) {
    throw new PackageError('its package has no programs: "bin" of its package.json names none');
  }
  for (const [name, file] of usable) {
    // Never out of the package.
    const path = join(packagePath, join('/', file));
    await access(join(folder, path)).catch(() => {
      throw new PackageError(`its package has no ${file}, which "bin" of its package.json names`);
    });
    await writeProgram(folder, name, { path, before: 'node ' });
  }
}

/** @returns nothing when there is no package.json, or it has no list of programs */
async function readBin(path: string): Promise<Record<string, unknown>> {
  try {
    const manifest: unknown = JSON.parse(await readFile(path, 'utf8'));
    return isObject(manifest) && isObject(manifest['bin']) ? manifest['bin'] : {};
  } catch {
    return {};
  }
}
