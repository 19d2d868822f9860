import { hash } from 'node:crypto';
import type { BigIntStats } from 'node:fs';
import { link, readdir, stat } from 'node:fs/promises';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { hasCode, ignore, type IncomingFolder, syncFolder } from './disk-files.js';
import type { ByteRange, ObjectState } from './object-storage.js';

/** No key has this character, so no folder of keys is named like a joined object. */
const SUFFIX = '@';
/** Place in the object and length in bytes, so that ranges are found without asking for the length of each file. */
const SEGMENT_NAME = /^\d{6}-(\d+)$/;
/** What `link` reports on file systems without hard links, or with too many to one file. */
const CANNOT_LINK = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV', 'ENOENT'];

/** A file that holds a part of an object. */
export interface Segment {
  readonly path: string;
  readonly sizeInBytes: number;
}

/**
 * Objects that were joined on disk: the object `a/b` is a folder `a/b@` of hard links to the files of its sources, so
 * that no byte is written again.
 */
export class DiskJoinedObjects {
  constructor(private readonly incoming: IncomingFolder) {}

  /**
   * Joins files to an object.
   *
   * @param path where the object would be if it were one file
   * @returns `false`, and nothing is there, when the file system cannot link the files
   */
  async create(path: string, sources: readonly Segment[]): Promise<boolean> {
    const folder = await this.incoming.newFolder();
    try {
      for (const [index, source] of sources.entries()) {
        const name = `${String(index + 1).padStart(6, '0')}-${source.sizeInBytes}`;
        await link(source.path, join(folder, name));
      }
      await syncFolder(folder);
    } catch (error) {
      await this.incoming.discard(folder);
      if (hasCode(error, ...CANNOT_LINK)) return false;
      throw error;
    }
    await this.incoming.publish(folder, path + SUFFIX);
    return true;
  }

  /** The files of an object in their order; `null` when nothing was joined at this path. */
  async find(path: string): Promise<Segment[] | null> {
    const folder = path + SUFFIX;
    const names = await readdir(folder).catch(ignore('ENOENT', 'ENOTDIR', 'ENAMETOOLONG'));
    return (
      names?.sort().flatMap((name) => {
        const size = SEGMENT_NAME.exec(name)?.[1];
        return size === undefined ? [] : [{ path: join(folder, name), sizeInBytes: Number(size) }];
      }) ?? null
    );
  }

  /** Deletes what was joined at this path, if anything. */
  delete(path: string): Promise<void> {
    return this.incoming.discard(path + SUFFIX);
  }

  /** The name of the object that a folder holds; `null` for a folder of keys. */
  nameOf(folder: string): string | null {
    return folder.endsWith(SUFFIX) ? folder.slice(0, -SUFFIX.length) : null;
  }
}

/** What the files hold now, whose length is another one than their names say when they are damaged. */
export async function joinedStateOf(segments: readonly Segment[]): Promise<ObjectState> {
  const states = await Promise.all(
    segments.map(async ({ path }) => fileStateOf(await stat(path, { bigint: true }))),
  );
  return {
    sizeInBytes: states.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0),
    version: hash('sha256', states.map(({ version }) => version).join()),
  };
}

export function fileStateOf({ ino, size, mtimeNs, ctimeNs }: BigIntStats): ObjectState {
  return { sizeInBytes: Number(size), version: [ino, size, mtimeNs, ctimeNs].join('-') };
}

/** How many bytes the segments should hold. */
export function sizeOf(segments: readonly Segment[]): number {
  return segments.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0);
}

/** Reads segments one after the other. @param range within them; all of them by default */
export function readSegments(segments: readonly Segment[], range?: ByteRange): Readable {
  return Readable.from(chunksOf(segments, range), { objectMode: false });
}

async function* chunksOf(segments: readonly Segment[], range?: ByteRange): AsyncGenerator<Buffer> {
  const end = range === undefined ? Infinity : range.start + range.length;
  let first = 0;
  for (const { path, sizeInBytes } of segments) {
    const from = Math.max((range?.start ?? 0) - first, 0);
    const to = Math.min(end - first, sizeInBytes);
    // The file may be longer than it should be. Then the reader of the whole object sees that.
    const last = range === undefined ? Infinity : to - 1;
    if (from < to) yield* createReadStream(path, { start: from, end: last }) as AsyncIterable<Buffer>;
    first += sizeInBytes;
  }
}
