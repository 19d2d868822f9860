import { PassThrough, pipeline, type Readable } from 'node:stream';
import { callbackify } from 'node:util';
import yazl from 'yazl';

/** A file to be put into an archive. */
export interface ArchiveEntry {
  readonly path: string;
  /** Whether to compress it well. */
  readonly isCompressible: boolean;
  /** Opens its content; called when the archive reaches it. */
  readonly open: () => Promise<Readable>;
}

/** The earliest time that a zip can hold: the same files make the same bytes on any machine. */
const TIME = new Date(1980, 0, 1);

const OPTIONS = { mtime: TIME, mode: 0o100644, forceDosTimestamp: true } as const;

/**
 * Levels of deflate. Everything is deflated: the sizes of what is streamed stand behind it, and readers that stream as
 * well, such as Java's `ZipInputStream`, find the end of deflated files only.
 */
const BEST = 9;
const FASTEST = 1;

/**
 * Makes a zip as a stream. The files are opened one after the other, while it is read; when one cannot be read to its
 * end, the stream fails.
 */
export function zipStream(entries: readonly ArchiveEntry[]): Readable {
  const zip = new yazl.ZipFile();
  const output = new PassThrough();
  let current: Readable | undefined;
  const fail = (error: unknown): void => void output.destroy(error as Error);
  zip.on('error', fail);
  for (const { path, isCompressible, open } of entries) {
    const openNext = async (): Promise<Readable> => {
      current = (await open()).on('error', fail);
      // Its reader may have disconnected in the meantime.
      if (output.destroyed) current.destroy();
      return current;
    };
    const compressionLevel = isCompressible ? BEST : FASTEST;
    zip.addReadStreamLazy(path, { ...OPTIONS, compressionLevel }, callbackify(openNext));
  }
  zip.end();
  pipeline(zip.outputStream, output, () => current?.destroy());
  return output;
}
