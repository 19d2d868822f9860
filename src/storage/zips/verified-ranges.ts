import { createHash, hash } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { OtherBytesError } from '../../common/errors/app-error.js';
import type { ByteRange, ObjectDigest } from '../object-storage.js';
import type { OpenRange } from './range-reader.js';

/** Bytes that are hashed, and compared, at once. */
const BLOCK_BYTES = 1024 * 1024;

/**
 * Reads parts of an object, and compares each with what was read before of the whole object, whose SHA-256 is known. So they
 * are parts of what was stored, whatever a store, or a cache in front of it, sends.
 */
export class VerifiedRanges {
  private constructor(
    private readonly openRange: OpenRange,
    private readonly sizeInBytes: number,
    private readonly blocks: readonly string[],
  ) {}

  /**
   * @param body the whole object, which is read to its end
   * @param openRange opens a part of it
   * @throws OtherBytesError when it is not the expected one
   */
  static async of(
    body: Readable,
    { sha256, sizeInBytes }: ObjectDigest,
    openRange: OpenRange,
  ): Promise<VerifiedRanges> {
    const whole = createHash('sha256');
    const blocks: string[] = [];
    let block = createHash('sha256');
    let missing = BLOCK_BYTES;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      whole.update(chunk);
      for (let rest = chunk; rest.length > 0;) {
        const part = rest.subarray(0, missing);
        block.update(part);
        rest = rest.subarray(part.length);
        missing -= part.length;
        if (missing > 0) continue;
        blocks.push(block.digest('hex'));
        block = createHash('sha256');
        missing = BLOCK_BYTES;
      }
    }
    if (missing < BLOCK_BYTES) blocks.push(block.digest('hex'));
    if (whole.digest('hex') !== sha256) throw new OtherBytesError();
    return new VerifiedRanges(openRange, sizeInBytes, blocks);
  }

  /** Opens a part. The stream fails with `OtherBytesError` when the storage sends others. */
  open({ start, length }: ByteRange): Promise<Readable> {
    return Promise.resolve(Readable.from(this.chunks(start, start + length), { objectMode: false }));
  }

  private async *chunks(start: number, end: number): AsyncGenerator<Buffer> {
    for (let at = start; at < end;) {
      const index = Math.floor(at / BLOCK_BYTES);
      const first = index * BLOCK_BYTES;
      const length = Math.min(BLOCK_BYTES, this.sizeInBytes - first);
      const block = await buffer(await this.openRange({ start: first, length }));
      if (hash('sha256', block) !== this.blocks[index]) throw new OtherBytesError();
      yield block.subarray(at - first, end - first);
      at = first + length;
    }
  }
}
