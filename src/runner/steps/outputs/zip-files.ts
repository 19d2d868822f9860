import { once } from 'node:events';
import { constants, createWriteStream } from 'node:fs';
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
  const stop = new AbortController();
  const stopped = AbortSignal.any([signal, stop.signal]);
  const fail = (error: Error): void => {
    output.destroy(error);
    stop.abort(error);
  };
  zip.on('error', fail);
  const written = pipeline(output, createWriteStream(target, { flags: 'wx', mode: 0o600 }), { signal });
  written.catch(fail);
  const added = addAll(zip, files, stopped);
  added.catch(fail);
  await Promise.allSettled([written, added]);
  await written;
  await added;
}

async function addAll(zip: yazl.ZipFile, files: readonly ZipEntry[], signal: AbortSignal): Promise<void> {
  for (const { name, path, size, mode = MODE, linkTo } of files) {
    signal.throwIfAborted();
    if (linkTo !== undefined) {
      zip.addBuffer(Buffer.from(linkTo), name, { mtime: TIME, forceDosTimestamp: true, mode: LINK_MODE });
      continue;
    }
    if (name.endsWith('/')) {
      zip.addEmptyDirectory(name, { mtime: TIME, forceDosTimestamp: true });
      continue;
    }
    const file = await openFile(path, size);
    try {
      const content = file.createReadStream({ autoClose: false, start: 0 });
      zip.addReadStream(content, name, { mtime: TIME, forceDosTimestamp: true, mode, size });
      await once(content, 'end', { signal });
    } finally {
      await file.close();
    }
  }
  zip.end();
}

async function openFile(path: string, size: number): Promise<FileHandle> {
  const file = await open(path, READ_FLAGS);
  const stats = await file.stat();
  if (stats.isFile() && stats.size === size) return file;
  await file.close();
  throw new Error('A file of the output changed while it was packed.');
}
