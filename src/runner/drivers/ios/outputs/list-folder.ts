import { lstat, opendir, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';
import { StepError } from '../../../steps/build-run.js';
import type { ZipEntry } from '../../../steps/outputs/zip-files.js';

const MAX_ENTRIES = 100_000;
/** More than the API takes of a packed file. */
const MAX_BYTES = 4 * 1024 ** 3;
const FILE_MODE = 0o100644;
const PROGRAM_MODE = 0o100755;
const RUN_BIT = 0o100;

/**
 * What is in a folder, by name, as it goes into a zip: programs stay programs, and links within the folder stay links.
 *
 * @param folder without links; no process of the build may run
 * @param name of the folder in the zip
 * @throws StepError when a link leads out of it or to nothing, something is no file, or it is too large
 */
export async function listFolder(folder: string, name: string): Promise<ZipEntry[]> {
  const entries: ZipEntry[] = [];
  const pending = [''];
  let bytes = 0;
  for (let parent = pending.pop(); parent !== undefined; parent = pending.pop()) {
    let isEmpty = true;
    for await (const entry of await opendir(join(folder, parent))) {
      isEmpty = false;
      const path = parent === '' ? entry.name : `${parent}/${entry.name}`;
      requireName(path);
      if (entry.isDirectory()) pending.push(path);
      else {
        const described = await describe(folder, path);
        bytes += described.size;
        entries.push({ ...described, name: `${name}/${path}` });
      }
      if (entries.length + pending.length > MAX_ENTRIES || bytes > MAX_BYTES) {
        throw new StepError(
          'output',
          `${shown(name)} has more than ${MAX_ENTRIES.toLocaleString('en')} files, or more than 4 GiB.`,
        );
      }
    }
    if (isEmpty) {
      const path = parent === '' ? `${name}/` : `${name}/${parent}/`;
      entries.push({ name: path, path: join(folder, parent), size: 0 });
    }
  }
  return entries.toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

/** Of a file or a folder, also an empty one. @throws StepError */
function requireName(name: string): void {
  if (!/[\\\p{Cc}\uFFFD]/u.test(name)) return;
  throw new StepError('output', `The build made a file whose name no device can use: ${shown(name)}.`);
}

async function describe(folder: string, name: string): Promise<ZipEntry> {
  const path = join(folder, name);
  const stats = await lstat(path);
  if (stats.isSymbolicLink()) return { name, path, size: 0, linkTo: await readLink(folder, name) };
  if (!stats.isFile()) {
    throw new StepError('output', `The build made ${shown(name)}, which is not an ordinary file.`);
  }
  const mode = (stats.mode & RUN_BIT) === 0 ? FILE_MODE : PROGRAM_MODE;
  return { name, path, size: stats.size, mode };
}

/** Frameworks have links such as `Versions/Current`. @throws StepError when one leads out of the folder, by its text or in fact */
async function readLink(folder: string, name: string): Promise<string> {
  const linkTo = await readlink(join(folder, name));
  const named = normalize(join(folder, dirname(name), linkTo));
  const isInside = (path: string): boolean => path.startsWith(folder + sep);
  if (linkTo.startsWith('/') || !isInside(named)) throw leadsOut(name);
  const path = await realpath(join(folder, name)).catch(() => null);
  if (path === null || !isInside(path)) throw leadsOut(name);
  // It may lead to a special file, too.
  const stats = await stat(path);
  if (!stats.isFile() && !stats.isDirectory()) throw leadsOut(name);
  return linkTo;
}

function leadsOut(name: string): StepError {
  return new StepError('output', `The symbolic link ${shown(name)} leads out of the files of the build.`);
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 200));
}
