import { createWriteStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { openPromise, type ZipFile } from 'yauzl';
import type { ArchiveEntry } from '../../../../common/archives/archive-entry.js';
import { readArchive } from '../../../../common/archives/read-archive.js';
import { StepError } from '../../../steps/build-run.js';
import { centralHeader, endRecord, localHeader, MAX_BYTES, MAX_ENTRIES } from './zip-records.js';

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
