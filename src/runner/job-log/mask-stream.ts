import { cleanLines, MAX_OPEN_LINE } from '../../common/secrets/clean-lines.js';
import type { SecretMasker } from '../../common/secrets/secret-masker.js';

const LINE_FEED = 10;
const lineFeed = Buffer.from('\n');

/**
 * Replaces secrets in a stream of bytes, and leaves only colors of the sequences of terminals, wherever its chunks end. It
 * holds back the line that has no end yet. No secret goes on behind the end of its line.
 */
export class MaskStream {
  private held: Buffer[] = [];
  private heldLength = 0;

  constructor(private readonly masker: SecretMasker) {}

  /** @returns what can go on, masked */
  push(chunk: Buffer): Buffer {
    this.held.push(chunk);
    this.heldLength += chunk.length;
    // A line that arrives byte by byte is not copied for each of them.
    const isOpen = this.heldLength < MAX_OPEN_LINE && !chunk.includes(LINE_FEED);
    return isOpen ? Buffer.alloc(0) : this.take(false);
  }

  /** @returns what was held back, masked */
  end(): Buffer {
    return this.take(true);
  }

  private take(isEnd: boolean): Buffer {
    const { lines, rest } = cleanLines(Buffer.concat(this.held), this.masker, isEnd);
    // A copy, so that a short rest does not keep a long chunk in memory.
    this.held = rest.length === 0 ? [] : [Buffer.from(rest)];
    this.heldLength = rest.length;
    return Buffer.concat(lines.flatMap(({ bytes, endsLine }) => (endsLine ? [bytes, lineFeed] : [bytes])));
  }
}
