import { Readable } from 'node:stream';
import { buffer as readAll } from 'node:stream/consumers';
import { callbackify } from 'node:util';
import { RandomAccessReader } from 'yauzl';
import type { ByteRange } from '../object-storage.js';

/** Opens a part of a stored file. */
export type OpenRange = (range: ByteRange) => Promise<Readable>;

/** Small reads, of which a zip needs several for every entry, are answered from blocks of this size. */
const BLOCK_BYTES = 256 * 1024;
/** The end of the file, where the directory is, and places where entries begin: 2 MiB of memory for each zip. */
const BLOCKS = 8;

/** Lets yauzl read a zip in storage by parts. */
export class RangeReader extends RandomAccessReader {
  /** The error of the storage, if it could not be read: then nothing is known about the zip. */
  failure: unknown = null;
  private readonly blocks = new Map<number, Promise<Buffer>>();
  /** The block that was used last, and where it begins. */
  private last: { start: number; bytes: Buffer } = { start: 0, bytes: Buffer.alloc(0) };

  constructor(
    private readonly open: OpenRange,
    private readonly sizeInBytes: number,
  ) {
    super();
  }

  override _readStreamForRange(start: number, end: number): Readable {
    return Readable.from(this.chunks(start, end), { objectMode: false });
  }

  override read(
    target: Buffer,
    offset: number,
    length: number,
    position: number,
    callback: (error: Error | null) => void,
  ): void {
    const part = target.subarray(offset, offset + length);
    const { start, bytes } = this.last;
    // A directory has a hundred thousand entries, one behind the other: most of them need no promises.
    if (position >= start && position + length <= start + bytes.length) {
      bytes.copy(part, 0, position - start);
      process.nextTick(callback, null);
    } else callbackify(() => this.copy(part, position))(callback);
  }

  private async copy(target: Buffer, position: number): Promise<void> {
    let written = 0;
    for await (const chunk of this.chunks(position, position + target.length)) {
      written += chunk.copy(target, written);
    }
  }

  private async *chunks(start: number, end: number): AsyncGenerator<Buffer> {
    if (start < 0 || end > this.sizeInBytes) throw new Error('it ends too early');
    if (end - start > BLOCK_BYTES) {
      const part = await this.orFail(() => this.open({ start, length: end - start }));
      const fail = (error: Error): void => void (this.failure ??= error);
      part.once('error', fail);
      try {
        for await (const chunk of part.iterator({ destroyOnReturn: false })) yield chunk as Buffer;
      } finally {
        // A reader that has seen enough is no failure, and Node.js would destroy the part with an error.
        part.off('error', fail);
        part.destroy();
      }
      return;
    }
    for (let at = start; at < end;) {
      const first = at - (at % BLOCK_BYTES);
      const block = await this.block(first);
      this.last = { start: first, bytes: block };
      const chunk = block.subarray(at - first, Math.min(end - first, block.length));
      yield chunk;
      at += chunk.length;
    }
  }

  private block(start: number): Promise<Buffer> {
    const kept = this.blocks.get(start);
    const length = Math.min(BLOCK_BYTES, this.sizeInBytes - start);
    const block = kept ?? this.orFail(async () => readAll(await this.open({ start, length })));
    // The most recently used block is last; the first one is evicted.
    this.blocks.delete(start);
    this.blocks.set(start, block);
    if (this.blocks.size > BLOCKS) this.blocks.delete(this.blocks.keys().next().value as number);
    return block;
  }

  private async orFail<R>(read: () => Promise<R>): Promise<R> {
    try {
      return await read();
    } catch (error) {
      this.failure ??= error;
      throw error;
    }
  }
}
