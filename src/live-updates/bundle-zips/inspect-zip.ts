import { isAscii } from 'node:buffer';
import { crc32 } from 'node:zlib';
import { createHash } from 'node:crypto';
import { type Entry, fromRandomAccessReaderPromise, type LocalFileHeader, type ZipFile } from 'yauzl';
import { type OpenRange, RangeReader } from '../../storage/zips/range-reader.js';
import {
  type ManifestItem,
  decodeManifest,
  MAX_MANIFEST_BYTES,
  parseManifest,
  type StoredFile,
} from '../bundle-manifests/manifest.js';
import { keepOnlyName } from '../../common/archives/archive-entry.js';
import { describeUnreadable } from '../../common/archives/entry-problems.js';
import { hasUtf8Flag } from '../../common/archives/zip-name.js';
import { AppError } from '../../common/errors/app-error.js';
import { WorkBudget } from '../../common/work-budget.js';
import type { Warning } from '../../common/warnings/warning.js';
import { MANIFEST_HREF } from '../bundle-content/href.js';
import { rootFolders } from '../bundle-manifests/root-folders.js';
import {
  endOf,
  findEntryProblems,
  findEntryWarnings,
  isFolder,
  MAX_ZIP_ENTRIES,
  withPath,
  type ZipEntry,
} from './zip-entries.js';
import { findMissingFlags, type UnflaggedEntry } from './utf8-flags.js';

/**
 * A manifest in a zip, beside its `index.html`. The next bundle in manifest form is built by it, from files that are not
 * verified again, so it must describe the files of the zip.
 */
class PackedManifest {
  private readonly chunks: Buffer[] = [];
  private sizeInBytes = 0;

  private constructor(private readonly folder: string) {}

  /** @param paths of all files of the zip @returns `null`: devices find no manifest in it */
  static in(paths: readonly string[]): PackedManifest | null {
    const [folder = ''] = rootFolders(paths);
    return paths.includes(folder + MANIFEST_HREF) ? new PackedManifest(folder) : null;
  }

  /** Reads a piece of the content of a file. */
  read(path: string, chunk: Buffer): void {
    if (path !== this.folder + MANIFEST_HREF) return;
    this.sizeInBytes += chunk.length;
    if (this.sizeInBytes <= MAX_MANIFEST_BYTES) this.chunks.push(chunk);
  }

  /**
   * What the manifest lists, after all files were read.
   *
   * @param files of the zip
   * @returns the files, or the problems, each without a full stop
   */
  result(
    files: readonly StoredFile[],
  ): { readonly manifest: readonly ManifestItem[] } | { readonly problems: readonly string[] } {
    if (this.sizeInBytes > MAX_MANIFEST_BYTES) {
      return { problems: [`${MANIFEST_HREF} is larger than ${MAX_MANIFEST_BYTES} bytes`] };
    }
    try {
      const manifest = parseManifest(decodeManifest(Buffer.concat(this.chunks)));
      const packed = new Map(files.map((file) => [file.href, file]));
      const wrong = manifest.filter((item) => {
        const file = packed.get(this.folder + item.href);
        return file?.sha256 !== item.checksum || file.sizeInBytes !== item.sizeInBytes;
      });
      if (wrong.length === 0) return { manifest };
      return { problems: wrong.map(({ href }) => `${href} is not the file that ${MANIFEST_HREF} lists`) };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { problems: [error.message.replace(/\.$/, '')] };
    }
  }
}

/** Signature of a directory entry (APPNOTE, 4.3.12). */
const DIRECTORY_ENTRY = 0x02014b50;
/** What reading the directory may cost: far more than that of twenty thousand files. */
const MAX_DIRECTORY_WORK = 128 * 1024 * 1024;
/** Flag: the sizes and the CRC-32 follow behind the content instead of standing before it. */
const SIZES_FOLLOW = 0x8;

/** The result of an inspection. */
export interface ZipInspection {
  /** Problems, each without a full stop; empty: none. */
  readonly problems: readonly string[];
  /** Warnings; empty if there are problems. */
  readonly warnings: readonly Warning[];
  /** The manifest that devices find in it; `null`: none, or something is wrong. */
  readonly manifest: readonly ManifestItem[] | null;
  /** Entries whose names are in UTF-8, which the zip does not say; empty if there are problems. */
  readonly unflagged: readonly UnflaggedEntry[];
  /** What it unpacks to, without folders; empty if there are problems. */
  readonly files: readonly StoredFile[];
}

/**
 * Reads a zip as devices do, from the directory to the last byte of every entry, without storing any of it. Checks that
 * it can be unpacked, that its contents match their sizes and checksums, that no path leaves the folder, and that every
 * program unpacks the same files.
 *
 * @throws the error of the storage when it cannot be read
 */
export async function inspectZip(open: OpenRange, sizeInBytes: number): Promise<ZipInspection> {
  const reader = new RangeReader(open, sizeInBytes);
  try {
    return await inspect(reader, sizeInBytes);
  } catch (error) {
    if (reader.failure !== null) throw reader.failure;
    return withProblems([describeUnreadable(error)]);
  }
}

async function inspect(reader: RangeReader, sizeInBytes: number): Promise<ZipInspection> {
  const zip = await fromRandomAccessReaderPromise(reader, sizeInBytes, {
    autoClose: false,
    decodeStrings: false,
  });
  if (zip.entryCount > MAX_ZIP_ENTRIES) {
    return withProblems([`it has ${zip.entryCount} entries, and at most ${MAX_ZIP_ENTRIES} are allowed`]);
  }
  const directory = cursorOf(zip);
  const work = new WorkBudget(MAX_DIRECTORY_WORK);
  const entries: ZipEntry[] = [];
  for await (const entry of zip.eachEntry()) {
    const last = entries.at(-1);
    entries.push(withPath(entry, last === undefined ? directory : endOf(last)));
    keepOnlyName(entry, work);
  }
  if (await hasMoreEntries(reader, cursorOf(zip), sizeInBytes)) {
    return withProblems(['it has more entries than it says']);
  }
  const found = findEntryProblems(entries);
  if (found.length > 0) return withProblems(found);
  const packed = PackedManifest.in(entries.map(({ path }) => path));
  const { problems, unflagged, files } = await unpackAll(zip, entries, directory, reader, packed);
  if (problems.length > 0) return withProblems(problems);
  const result = packed?.result(files) ?? { manifest: null };
  if ('problems' in result) return withProblems(result.problems);
  return { problems, warnings: findEntryWarnings(entries), manifest: result.manifest, unflagged, files };
}

function withProblems(problems: readonly string[]): ZipInspection {
  return { problems, warnings: [], manifest: null, unflagged: [], files: [] };
}

/** @param end where the directory begins, and the content of entries must have ended */
async function unpackAll(
  zip: ZipFile,
  entries: readonly ZipEntry[],
  end: number,
  reader: RangeReader,
  packed: PackedManifest | null,
): Promise<Pick<ZipInspection, 'problems' | 'unflagged' | 'files'>> {
  const problems: string[] = [];
  const unflagged: UnflaggedEntry[] = [];
  const files: StoredFile[] = [];
  let free = 0;
  const inOrder = entries.toSorted(
    (a, b) => a.entry.relativeOffsetOfLocalHeader - b.entry.relativeOffsetOfLocalHeader,
  );
  for (const item of inOrder) {
    const { entry, name, path, position } = item;
    try {
      const header = await zip.readLocalFileHeaderPromise(entry);
      if (entry.relativeOffsetOfLocalHeader < free) throw new Error('it overlaps with another entry');
      free = header.fileDataStart + entry.compressedSize;
      if (free > end) throw new Error('it overlaps with the directory');
      const missing = findMissingFlags(name, position, entry, header);
      requireSame(entry, header, missing !== null);
      if (missing !== null) unflagged.push(missing);
      if (!isFolder(path)) files.push(await unpack(zip, item, packed));
    } catch (error) {
      if (reader.failure !== null) throw error;
      problems.push(`${path} cannot be unpacked: ${messageOf(error)}`);
    }
  }
  return { problems, unflagged, files };
}

/**
 * Some programs unpack by the local headers, others by the directory.
 *
 * @param isUtf8 whether the name is in UTF-8 whatever the flags are
 */
function requireSame(entry: Entry, header: LocalFileHeader, isUtf8: boolean): void {
  const sizesFollow = (header.generalPurposeBitFlag & SIZES_FOLLOW) !== 0;
  const isSame =
    header.fileName.equals(entry.fileNameRaw) &&
    (isUtf8 || isAscii(header.fileName) || hasUtf8Flag(header) === hasUtf8Flag(entry)) &&
    header.compressionMethod === entry.compressionMethod &&
    (header.generalPurposeBitFlag & 1) === 0 &&
    (sizesFollow || header.crc32 === entry.crc32);
  if (!isSame) throw new Error('its header says something else than the directory');
}

/** Inflates an entry and discards the content. Fails as soon as the entry is longer than it says. */
async function unpack(
  zip: ZipFile,
  { entry, path }: ZipEntry,
  packed: PackedManifest | null,
): Promise<StoredFile> {
  let sum = 0;
  const hash = createHash('sha256');
  for await (const chunk of (await zip.openReadStreamPromise(entry)) as AsyncIterable<Buffer>) {
    sum = crc32(chunk, sum);
    hash.update(chunk);
    packed?.read(path, chunk);
  }
  if (sum !== entry.crc32) throw new Error('its CRC-32 is wrong');
  return { href: path, sha256: hash.digest('hex'), sizeInBytes: entry.uncompressedSize };
}

/** Some programs read further entries of the directory, up to its end. */
async function hasMoreEntries(reader: RangeReader, at: number, sizeInBytes: number): Promise<boolean> {
  if (at + 4 > sizeInBytes) return false;
  const next = Buffer.alloc(4);
  await new Promise<void>((resolve, reject) => {
    reader.read(next, 0, 4, at, (error) => (error === null ? resolve() : reject(error)));
  });
  return next.readUInt32LE() === DIRECTORY_ENTRY;
}

/** Where the next entry of the directory begins; the types of the library call it a boolean. */
function cursorOf(zip: ZipFile): number {
  return zip.readEntryCursor as unknown as number;
}

function messageOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message.replace(/\.$/, '');
}
