import type { Readable } from 'node:stream';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import { readZipName } from '../../common/archives/zip-name.js';
import { type OpenRange, RangeReader } from './range-reader.js';

/** Most entries of a zip in which a file is searched. */
const MAX_ENTRIES = 10_000;

/** The zip, or a file in it, is damaged. */
export class DamagedZipError extends Error {
  constructor() {
    super('The zip is damaged.');
    this.name = new.target.name;
  }
}

/** A file in a zip in storage, of which one part after the other is read. */
export class ZipMember {
  private stream: AsyncIterator<Buffer, undefined> | null = null;
  private source: Readable | null = null;
  /** Where the next byte of the stream is, and bytes that came with the ones before. */
  private position = 0;
  private rest: Buffer = Buffer.alloc(0);

  private constructor(
    private readonly reader: RangeReader,
    private readonly zip: ZipFile,
    private readonly entry: Entry,
  ) {}

  /**
   * Finds a file by its path.
   *
   * @param maxBytes of its content
   * @returns `null`: the zip has no such file, or it is empty or larger
   * @throws DamagedZipError when the zip cannot be read, but the storage can
   */
  static async find(
    openRange: OpenRange,
    sizeInBytes: number,
    path: string,
    maxBytes: number,
  ): Promise<ZipMember | null> {
    const reader = new RangeReader(openRange, sizeInBytes);
    return orDamaged(reader, async () => {
      const zip = await fromRandomAccessReaderPromise(reader, sizeInBytes, {
        autoClose: false,
        decodeStrings: false,
      });
      if (zip.entryCount > MAX_ENTRIES) return null;
      for await (const entry of zip.eachEntry()) {
        if (readZipName(entry).path !== path) continue;
        const { uncompressedSize } = entry;
        if (uncompressedSize === 0 || uncompressedSize > maxBytes) return null;
        return new ZipMember(reader, zip, entry);
      }
      return null;
    });
  }

  get sizeInBytes(): number {
    return this.entry.uncompressedSize;
  }

  /** Bytes of the file. Quick when they follow those that were read before. @throws DamagedZipError */
  read(start: number, length: number): Promise<Buffer> {
    return orDamaged(this.reader, async () => {
      if (this.stream === null || start < this.position) await this.begin();
      const chunks: Buffer[] = [];
      for (let missing = length; missing > 0;) {
        const chunk = await this.next();
        const from = Math.min(chunk.length, Math.max(0, start - this.position));
        const part = chunk.subarray(from, from + missing);
        chunks.push(part);
        missing -= part.length;
        this.rest = chunk.subarray(from + part.length);
        this.position += from + part.length;
      }
      return Buffer.concat(chunks);
    });
  }

  /** Lets go of what is open. */
  close(): void {
    this.source?.destroy();
    this.stream = null;
  }

  private async begin(): Promise<void> {
    this.close();
    this.source = await this.zip.openReadStreamPromise(this.entry);
    this.stream = (this.source as AsyncIterable<Buffer>)[Symbol.asyncIterator]() as AsyncIterator<
      Buffer,
      undefined
    >;
    this.position = 0;
    this.rest = Buffer.alloc(0);
  }

  private async next(): Promise<Buffer> {
    if (this.rest.length > 0) return this.rest;
    const chunk = await this.stream?.next();
    if (chunk?.value === undefined) throw new RangeError('It ends too early.');
    return chunk.value;
  }
}

async function orDamaged<R>(reader: RangeReader, work: () => Promise<R>): Promise<R> {
  try {
    return await work();
  } catch {
    throw reader.failure ?? new DamagedZipError();
  }
}
