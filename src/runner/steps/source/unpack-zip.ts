import { createWriteStream } from 'node:fs';
import { mkdir, symlink } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { openPromise, type ZipFile } from 'yauzl';
import { type ArchiveEntry, isLink, permissionsOf } from '../../../common/archives/archive-entry.js';
import { describeUnreadable, shownPath } from '../../../common/archives/entry-problems.js';
import { readArchive } from '../../../common/archives/read-archive.js';

/** The owner can always read and write. */
const OWNER_MODE = 0o600;
const USUAL_MODE = 0o644;
/** Most folders: the paths of entries name many that have no entry. */
const MAX_FOLDERS = 100_000;
const PROGRAM_MODE = 0o755;
/** Programs that every project of their kind has. Zips that people make by hand often lack the modes. */
const PROGRAMS = new Set(['gradlew']);

/** Why a file could not be made, to follow its path in a sentence: other errors are those of the machine. */
const PATH_ERRORS: Readonly<Record<string, string>> = {
  EEXIST: 'is there twice',
  EISDIR: 'is there twice',
  ENOTDIR: 'lies below a file',
  ENAMETOOLONG: 'is too long for this machine',
  EILSEQ: 'is no name for a file of this machine',
};

/**
 * Unpacks a zip with a project, with the permissions of its files. Nothing is written outside of the folder.
 *
 * @param folder empty; no other process may change it while this runs
 * @returns the first problem of the zip, without a full stop; `null`: none
 * @throws the error of the machine, such as a full disk
 */
export async function unpackZip(file: string, folder: string): Promise<string | null> {
  let zip: ZipFile;
  try {
    zip = await openPromise(file, { autoClose: false, decodeStrings: false });
  } catch (error) {
    return describeUnreadable(error);
  }
  try {
    const archive = await readArchive(zip).catch((error: unknown) => ({
      problem: describeUnreadable(error),
    }));
    if ('problem' in archive) return archive.problem;
    return await unpackEntries(zip, archive.entries, folder);
  } finally {
    zip.close();
  }
}

async function unpackEntries(
  zip: ZipFile,
  entries: readonly ArchiveEntry[],
  folder: string,
): Promise<string | null> {
  const folders = new Set<string>();
  // Links come last, so that nothing is ever written through one.
  const inOrder = [
    ...entries.filter(({ entry }) => !isLink(entry)),
    ...entries.filter(({ entry }) => isLink(entry)),
  ];
  for (const item of inOrder) {
    try {
      await unpackEntry(zip, item, folder, folders);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      const reason = code === undefined ? undefined : PATH_ERRORS[code];
      if (reason !== undefined) return `${shownPath(item.path)} ${reason}`;
      // Errors of the machine have the name of the system call; those of the zip and of zlib do not.
      if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
      return describeUnreadable(error);
    }
  }
  return null;
}

async function unpackEntry(
  zip: ZipFile,
  { path, entry }: ArchiveEntry,
  folder: string,
  folders: Set<string>,
): Promise<void> {
  const target = join(folder, path);
  const parent = path.endsWith('/') ? target : dirname(target);
  if (!folders.has(parent)) {
    await mkdir(parent, { recursive: true });
    for (let each = parent; each.length > folder.length && !folders.has(each); each = dirname(each))
      folders.add(each);
    if (folders.size > MAX_FOLDERS) throw new Error(`it has more than ${MAX_FOLDERS} folders`);
  }
  if (path.endsWith('/')) return;
  const content = await zip.openReadStreamPromise(entry);
  if (isLink(entry)) {
    await symlink(await buffer(content), target);
    return;
  }
  const isProgram = PROGRAMS.has(basename(path));
  const mode = (permissionsOf(entry) || USUAL_MODE) | (isProgram ? PROGRAM_MODE : OWNER_MODE);
  await pipeline(content, createWriteStream(target, { flags: 'wx', mode }));
}
