import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openPromise, type ZipFile, type Entry } from 'yauzl';
import type { ArchiveEntry } from '../../../../common/archives/archive-entry.js';
import { readArchive } from '../../../../common/archives/read-archive.js';
import { StepError } from '../../../steps/build-run.js';

/** Records of a zip without ZIP64 (APPNOTE, 4.3). */
const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;

/** The sizes follow the content. They do not here: they are known before. */
const HAS_DATA_DESCRIPTOR = 0x8;

/** Most entries, and most bytes, of a zip without ZIP64. */
const MAX_ENTRIES = 0xfffe;
const MAX_BYTES = 0xfffffffe;

/** What the signature of a JAR consists of. Java ignores case. */
const SIGNATURE_FILE = /^META-INF\/(MANIFEST\.MF|SIG-[^/]*|[^/]+\.(SF|RSA|DSA|EC))$/i;

/**
 * Copies an Android App Bundle without the signature that Gradle or another tool has given it: a second one beside it would
 * make Google Play take the bundle for one that was signed with a debug key. Contents are copied as they are packed.
 *
 * @param target does not exist yet
 * @returns how many files of signatures were left out
 * @throws StepError when it cannot be read as a zip, or is no zip that can be signed
 * @throws the reason of the signal
 */
export async function copyWithoutSignatures(
  source: string,
  target: string,
  signal: AbortSignal,
): Promise<number> {
  const zip = await openPromise(source, {
    autoClose: false,
    decodeStrings: false,
    validateEntrySizes: false,
  }).catch(unreadable);
  try {
    const archive = await readArchive(zip).catch(unreadable);
    if ('problem' in archive) return refuse(`is refused because ${archive.problem}`);
    const kept = archive.entries.filter(({ path }) => !SIGNATURE_FILE.test(path));
    check(kept);
    const file = createWriteStream(target, { flags: 'wx', mode: 0o600 });
    await pipeline(recordsOf(zip, kept), file, { signal }).catch((error: unknown) => {
      signal.throwIfAborted();
      // Errors of the machine have the name of the system call.
      if ((error as NodeJS.ErrnoException).syscall !== undefined) throw error;
      unreadable(error);
    });
    return archive.entries.length - kept.length;
  } finally {
    zip.close();
  }
}

/** @throws StepError */
function check(entries: readonly ArchiveEntry[]): void {
  if (entries.length > MAX_ENTRIES) refuse(`has more than ${MAX_ENTRIES} entries`);
  const paths = new Set<string>();
  for (const { path } of entries) {
    if (paths.has(path)) refuse(`has ${JSON.stringify(path.slice(0, 200))} twice`);
    paths.add(path);
  }
  const size = entries.reduce((sum, { entry }) => sum + entry.compressedSize, 0);
  if (size > MAX_BYTES / 2) refuse('is larger than 2 GiB');
}

async function* recordsOf(zip: ZipFile, entries: readonly ArchiveEntry[]): AsyncGenerator<Buffer> {
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { entry } of entries) {
    directory.push(centralHeader(entry, offset));
    const header = localHeader(entry);
    yield header;
    const content = await zip.openReadStreamPromise(entry, { decodeFileData: false });
    yield* content as AsyncIterable<Buffer>;
    offset += header.length + entry.compressedSize;
  }
  const length = directory.reduce((sum, record) => sum + record.length, 0);
  yield* directory;
  yield endRecord(entries.length, offset, length);
}

function unreadable(error: unknown): never {
  refuse(`cannot be read as a zip: ${(error as Error).message}`);
}

function refuse(problem: string): never {
  throw new StepError('sign', `The app bundle ${problem}.`);
}

/** What stands before the content of an entry, without its extra fields. */
export function localHeader(entry: Entry): Buffer {
  const header = Buffer.alloc(30);
  header.writeUInt32LE(LOCAL_HEADER, 0);
  writeCommon(header, 4, entry);
  return Buffer.concat([header, entry.fileNameRaw]);
}

/** The entry in the directory at the end. @param offset of its local header */
export function centralHeader(entry: Entry, offset: number): Buffer {
  const header = Buffer.alloc(46);
  header.writeUInt32LE(CENTRAL_HEADER, 0);
  header.writeUInt16LE(entry.versionMadeBy, 4);
  writeCommon(header, 6, entry);
  header.writeUInt32LE(entry.externalFileAttributes, 38);
  header.writeUInt32LE(offset, 42);
  return Buffer.concat([header, entry.fileNameRaw]);
}

/** What stands last. @param offset of the directory @param length of the directory, in bytes */
export function endRecord(entries: number, offset: number, length: number): Buffer {
  const record = Buffer.alloc(22);
  record.writeUInt32LE(END, 0);
  record.writeUInt16LE(entries, 8);
  record.writeUInt16LE(entries, 10);
  record.writeUInt32LE(length, 12);
  record.writeUInt32LE(offset, 16);
  return record;
}

/** The fields that both headers have in common. @param at where they begin */
function writeCommon(header: Buffer, at: number, entry: Entry): void {
  header.writeUInt16LE(entry.versionNeededToExtract, at);
  header.writeUInt16LE(entry.generalPurposeBitFlag & ~HAS_DATA_DESCRIPTOR, at + 2);
  header.writeUInt16LE(entry.compressionMethod, at + 4);
  header.writeUInt16LE(entry.lastModFileTime, at + 6);
  header.writeUInt16LE(entry.lastModFileDate, at + 8);
  header.writeUInt32LE(entry.crc32, at + 10);
  header.writeUInt32LE(entry.compressedSize, at + 14);
  header.writeUInt32LE(entry.uncompressedSize, at + 18);
  header.writeUInt16LE(entry.fileNameRaw.length, at + 22);
}
