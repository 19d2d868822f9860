import { constants, createWriteStream, type ReadStream } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import yazl from 'yazl';
import type { OutputFile } from './output-files.js';

const READ_FLAGS = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;
/** Equal files give equal zips: every file has the time that the format begins with. */
const TIME = new Date(1980, 0, 1);
const MODE = 0o100644;
const LINK_MODE = 0o120777;

/** An entry of a zip. A name that ends with `/` is a folder without files. */
export interface ZipEntry extends OutputFile {
  /** Default: 0644. */
  readonly mode?: number;
  /** Where a symbolic link leads to; default: it is none. */
  readonly linkTo?: string;
}

/**
 * Writes a zip of files, in their order. The same files give the same bytes.
 *
 * @param target does not exist
 * @throws the reason of the signal
 */
export async function zipFiles(
  files: readonly ZipEntry[],
  target: string,
  signal: AbortSignal,
): Promise<void> {
  const zip = new yazl.ZipFile();
  const output = zip.outputStream as Readable;
  zip.on('error', (error: Error) => output.destroy(error));
  let reading: ReadStream | null = null;
  const read = async (path: string, size: number): Promise<ReadStream> => {
    const file = await openFile(path, size);
    reading = file.createReadStream({ start: 0 });
    reading.once('error', (error) => zip.emit('error', error));
    if (output.destroyed) reading.destroy();
    return reading;
  };
  // yazl keeps names and callbacks until the end. Names that are made between two files would each keep a pool of buffers.
  for (const entry of files) addEntry(zip, entry, read);
  zip.end();
  try {
    await pipeline(output, createWriteStream(target, { flags: 'wx', mode: 0o600 }), { signal });
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    (reading as ReadStream | null)?.destroy();
  }
}

/** @param read opens a file when the zip has come to it */
function addEntry(
  zip: yazl.ZipFile,
  { name, path, size, mode = MODE, linkTo }: ZipEntry,
  read: (path: string, size: number) => Promise<ReadStream>,
): void {
  const options = { mtime: TIME, forceDosTimestamp: true };
  if (linkTo !== undefined) zip.addBuffer(Buffer.from(linkTo), name, { ...options, mode: LINK_MODE });
  else if (name.endsWith('/')) zip.addEmptyDirectory(name, options);
  else
    zip.addReadStreamLazy(name, { ...options, mode, size }, (begin) => {
      void read(path, size).then(
        (content) => begin(null, content),
        (error: unknown) => zip.emit('error', error),
      );
    });
}

async function openFile(path: string, size: number): Promise<FileHandle> {
  const file = await open(path, READ_FLAGS);
  const stats = await file.stat();
  if (stats.isFile() && stats.size === size) return file;
  await file.close();
  throw new Error('A file of the output changed while it was packed.');
}
