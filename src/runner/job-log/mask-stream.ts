import { MASK, type SecretMasker } from '../../common/secrets/secret-masker.js';

const LINE_FEED = 10;
const nothing = Buffer.alloc(0);
const mask = Buffer.from(MASK);

/**
 * Replaces secrets in a stream of bytes, wherever its chunks end. It holds back what may be the beginning of a secret, which
 * is never longer than the longest secret. No secret goes on behind the end of its line.
 */
export class MaskStream {
  private held: Buffer = nothing;

  constructor(private readonly masker: SecretMasker) {}

  /** @returns what can go on, masked */
  push(chunk: Buffer): Buffer {
    return this.take(this.held.length === 0 ? chunk : Buffer.concat([this.held, chunk]), false);
  }

  /** @returns what was held back, masked */
  end(): Buffer {
    return this.take(this.held, true);
  }

  private take(bytes: Buffer, isEnd: boolean): Buffer {
    const { masker } = this;
    const parts: Buffer[] = [];
    // Behind the last line end, a secret may go on in the next chunk.
    const open = isEnd ? bytes.length : bytes.lastIndexOf(LINE_FEED) + 1;
    const safe = Math.max(open, bytes.length - masker.lookahead);
    let copied = 0;
    let position = 0;
    while (position < safe) {
      const length = masker.matchAt(bytes, position, bytes.length);
      if (length === 0) {
        position++;
        continue;
      }
      parts.push(bytes.subarray(copied, position), mask);
      position += length;
      copied = position;
    }
    parts.push(bytes.subarray(copied, position));
    // A copy, so that a short rest does not keep a long chunk in memory.
    this.held = position >= bytes.length ? nothing : Buffer.from(bytes.subarray(position));
    return Buffer.concat(parts);
  }
}
