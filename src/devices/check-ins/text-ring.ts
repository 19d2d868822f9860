/**
 * Texts one behind the other in a block of memory outside of the heap, around and around. Positions grow for ever: a text
 * is there until another one ends more than `size` behind its start, which whoever writes has to mind.
 */
export class TextRing {
  private readonly units: Uint16Array<ArrayBuffer>;
  private readonly bytes: Buffer;

  /** @param size in UTF-16 code units, as all lengths here */
  constructor(readonly size: number) {
    this.units = new Uint16Array(size);
    this.bytes = Buffer.from(this.units.buffer);
  }

  /** @returns the first position from `end` on where a text of this length is in one piece */
  placeFor(length: number, end: number): number {
    const left = this.size - (end % this.size);
    return length <= left ? end : end + left;
  }

  /** @param position from `placeFor` @returns where the text ends */
  write(text: string, position: number): number {
    const start = position % this.size;
    for (let i = 0; i < text.length; i++) this.units[start + i] = text.charCodeAt(i);
    return position + text.length;
  }

  read(position: number, length: number): string {
    const start = (position % this.size) * Uint16Array.BYTES_PER_ELEMENT;
    return this.bytes.toString('utf16le', start, start + length * Uint16Array.BYTES_PER_ELEMENT);
  }

  /** Whether it is the text at the position. */
  holds(text: string, position: number): boolean {
    const start = position % this.size;
    for (let i = 0; i < text.length; i++) {
      if (this.units[start + i] !== text.charCodeAt(i)) return false;
    }
    return true;
  }
}
