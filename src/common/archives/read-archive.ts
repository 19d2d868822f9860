import { buffer } from 'node:stream/consumers';
import type { Entry, ZipFile } from 'yauzl';
import { WorkBudget } from '../work-budget.js';
import { type ArchiveEntry, isLink, keepOnlyName, kindOf } from './archive-entry.js';
import { findContentProblem, findNameProblem, shownPath } from './entry-problems.js';
import { findEscapingLink, foldPath } from './symbolic-links.js';
import { readZipName, type ZipName } from './zip-name.js';

/** Most entries of a source, folders included. */
const MAX_ENTRIES = 100_000;
/** Most bytes that a source may unpack to: 4 GiB. */
const MAX_UNPACKED_BYTES = 4 * 1024 ** 3;
/** Longest path, and longest target of a link, in bytes: `PATH_MAX` of Linux. */
const MAX_PATH_BYTES = 4096;
/** What reading the directory and the links may cost: that of a hundred thousand files or links with usual names. */
const MAX_WORK = 256 * 1024 * 1024;
/** What a link costs, besides its target and the way to it. */
const LINK_WORK = 2048;
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
    findOverlap(inOrder) ?? findPathThroughLink(entries, links) ?? (await findBrokenLink(zip, links, work))
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
  const keys = new Set(links.map(({ path }) => foldPath(path)));
  // In order, what lies below a link follows it directly: a path has far too many parents to look each of them up.
  const inOrder = entries
    .map(({ path }) => ({ path, key: `${foldPath(path)}/` }))
    .toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)));
  let link: string | null = null;
  for (const { path, key } of inOrder) {
    if (link !== null && key.startsWith(link) && key !== link)
      return `${shownPath(path)} leads through a symbolic link`;
    if (keys.has(key.slice(0, -1))) link = key;
  }
  return null;
}

/** Reads the targets of all links before one is followed: it may lead through others. */
async function findBrokenLink(
  zip: ZipFile,
  links: readonly ArchiveEntry[],
  work: WorkBudget,
): Promise<string | null> {
  const targets = new Map<string, string>();
  for (const { entry, path } of links) {
    if (entry.uncompressedSize > MAX_PATH_BYTES)
      return `${shownPath(path)} is a symbolic link that is too long`;
    work.spend(LINK_WORK + entry.uncompressedSize);
    targets.set(path, (await buffer(await zip.openReadStreamPromise(entry))).toString());
  }
  return findEscapingLink(targets, work);
}
