import { buffer } from 'node:stream/consumers';
import type { Entry, ZipFile } from 'yauzl';
import { WorkBudget } from '../work-budget.js';
import { type ArchiveEntry, isLink, keepOnlyName, kindOf } from './archive-entry.js';
import { findContentProblem, findNameProblem, shownPath } from './entry-problems.js';
import { readZipName, type ZipName } from './zip-name.js';

/** Most entries of a source, folders included. */
const MAX_ENTRIES = 100_000;
/** Most bytes that a source may unpack to: 4 GiB. */
const MAX_UNPACKED_BYTES = 4 * 1024 ** 3;
/** Longest path, and longest target of a link, in bytes: `PATH_MAX` of Linux. */
const MAX_PATH_BYTES = 4096;
/** What reading the directory and the links may cost: that of a hundred thousand files or links with usual names. */
const MAX_WORK = 256 * 1024 * 1024;
/** What a link costs, besides its target, and what each folder that leads to links costs. */
const LINK_WORK = 2048;
const FOLDER_WORK = 512;
/** Bytes of a local file header without its name and its extra field (APPNOTE, 4.3.7). */
const LOCAL_HEADER_BYTES = 30;

/**
 * Reads the directory of a zip with a project, and checks that every path and every link stays inside the folder that it
 * is unpacked in, and that it unpacks to a bounded number of files and bytes. Reads no content but that of links.
 *
 * @param zip opened with `decodeStrings: false`
 * @param work counts what it costs
 * @returns what it holds, or its first problem, without a full stop
 * @throws Error when it cannot be read as a zip
 * @throws TooMuchWorkError
 */
export async function readArchive(
  zip: ZipFile,
  work: WorkBudget = new WorkBudget(MAX_WORK),
): Promise<{ readonly entries: readonly ArchiveEntry[] } | { readonly problem: string }> {
  const entries: ArchiveEntry[] = [];
  const problem = (await findBrokenEntry(zip, entries, work)) ?? (await findBrokenTree(zip, entries, work));
  return problem === null ? { entries } : { problem };
}

/** Reads the entries until one has a problem. */
async function findBrokenEntry(
  zip: ZipFile,
  entries: ArchiveEntry[],
  work: WorkBudget,
): Promise<string | null> {
  if (zip.entryCount > MAX_ENTRIES) {
    return `it has ${zip.entryCount} entries, and at most ${MAX_ENTRIES} are allowed`;
  }
  let unpacked = 0;
  for await (const entry of zip.eachEntry()) {
    const name = readZipName(entry);
    keepOnlyName(entry, work);
    const problem = problemOf(entry, name);
    if (problem !== null) return problem;
    unpacked += entry.uncompressedSize;
    if (unpacked > MAX_UNPACKED_BYTES)
      return `it unpacks to more than the ${MAX_UNPACKED_BYTES} bytes that are allowed`;
    entries.push({ path: name.path, entry });
  }
  return entries.length === 0 ? 'it is empty' : null;
}

async function findBrokenTree(
  zip: ZipFile,
  entries: readonly ArchiveEntry[],
  work: WorkBudget,
): Promise<string | null> {
  // In the order of the file, which storage is read in.
  const inOrder = entries.toSorted(
    (a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader,
  );
  const links = inOrder.filter(({ entry }) => isLink(entry));
  return (
    findOverlap(inOrder) ?? findPathThroughLink(entries, links) ?? (await findEscapingLink(zip, links, work))
  );
}

function problemOf(entry: Entry, name: ZipName): string | null {
  const wrongName = findNameProblem(name, isInside);
  if (wrongName !== null) return wrongName;
  const unreadable = findContentProblem(entry);
  if (unreadable !== null) return `${shownPath(name.path)} ${unreadable}`;
  if (kindOf(entry) === 'special') return `${shownPath(name.path)} is not an ordinary file`;
  return null;
}

/** Relative, without `..`, backslashes, control characters and drives. */
function isInside(path: string): boolean {
  const plain = path.endsWith('/') ? path.slice(0, -1) : path;
  if (plain === '' || Buffer.byteLength(plain) > MAX_PATH_BYTES) return false;
  // eslint-disable-next-line no-control-regex -- that is what must not be there
  if (/[\\\u0000-\u001f\u007f]/.test(plain) || /^[A-Za-z]:/.test(plain)) return false;
  return plain.split('/').every((segment) => segment !== '' && segment !== '.' && segment !== '..');
}

/** Content that belongs to several entries unpacks to far more than the zip holds. @param entries in the order of the file */
function findOverlap(entries: readonly ArchiveEntry[]): string | null {
  let free = 0;
  for (const { entry, path } of entries) {
    if (entry.relativeOffsetOfLocalHeader < free) return `${shownPath(path)} overlaps with another entry`;
    free =
      entry.relativeOffsetOfLocalHeader +
      LOCAL_HEADER_BYTES +
      entry.fileNameRaw.length +
      entry.compressedSize;
  }
  return null;
}

/** A path below a link would be written where the link points to. */
function findPathThroughLink(
  entries: readonly ArchiveEntry[],
  links: readonly ArchiveEntry[],
): string | null {
  if (links.length === 0) return null;
  const keys = new Set(links.map(({ path }) => keyOf(path)));
  // In order, what lies below a link follows it directly: a path has far too many parents to look each of them up.
  const inOrder = entries
    .map(({ path }) => ({ path, key: `${keyOf(path)}/` }))
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  let link: string | null = null;
  for (const { path, key } of inOrder) {
    if (link !== null && key.startsWith(link) && key !== link)
      return `${shownPath(path)} leads through a symbolic link`;
    if (keys.has(key.slice(0, -1))) link = key;
  }
  return null;
}

async function findEscapingLink(
  zip: ZipFile,
  links: readonly ArchiveEntry[],
  work: WorkBudget,
): Promise<string | null> {
  const folders = new LinkFolders(work);
  for (const { path } of links) folders.addLink(path);
  for (const { entry, path } of links) {
    if (entry.uncompressedSize > MAX_PATH_BYTES)
      return `${shownPath(path)} is a symbolic link that is too long`;
    work.spend(LINK_WORK + entry.uncompressedSize);
    const target = (await buffer(await zip.openReadStreamPromise(entry))).toString();
    if (!staysInside(path, target, folders)) return `${shownPath(path)} is a symbolic link out of the zip`;
  }
  return null;
}

/** The folders that lead to links, and the links, as a tree: the way of a link is followed from name to name. */
class LinkFolders {
  static readonly ROOT = 0;
  /** The numbers of folders and links, by the number of the folder that they are in and their name. */
  private readonly numbers = new Map<string, number>();
  private readonly links = new Set<number>();

  constructor(private readonly work: WorkBudget) {}

  addLink(path: string): void {
    let number = LinkFolders.ROOT;
    for (const name of keyOf(path).split('/')) {
      const key = `${number}/${name}`;
      number = this.numbers.get(key) ?? this.numbers.size + 1;
      if (number <= this.numbers.size) continue;
      this.work.spend(FOLDER_WORK);
      this.numbers.set(key, number);
    }
    this.links.add(number);
  }

  /** @param folder `null`: one without links */
  enter(folder: number | null, name: string): number | null {
    return folder === null ? null : (this.numbers.get(`${folder}/${keyOf(name)}`) ?? null);
  }

  isLink(folder: number | null): boolean {
    return folder !== null && this.links.has(folder);
  }
}

/** Whether a link can be followed without leaving the root, or another link, on the way. */
function staysInside(path: string, target: string, folders: LinkFolders): boolean {
  if (target === '' || target.startsWith('/') || /[\\\0]/.test(target)) return false;
  // The folders from the root on: a target has thousands of names, so that no path is made of them.
  const way: (number | null)[] = [LinkFolders.ROOT];
  const current = (): number | null => way.at(-1) ?? null;
  for (const name of path.split('/').slice(0, -1)) way.push(folders.enter(current(), name));
  for (const segment of target.split('/').filter((name) => name !== '' && name !== '.')) {
    if (folders.isLink(current())) return false;
    if (segment !== '..') way.push(folders.enter(current(), segment));
    else if (way.length === 1) return false;
    else way.pop();
  }
  return true;
}

/** Equal for paths that some file systems take for the same. */
function keyOf(path: string): string {
  return path.replace(/\/$/, '').normalize('NFC').toLowerCase();
}
