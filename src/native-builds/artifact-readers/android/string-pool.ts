import type { WorkBudget } from '../../../common/work-budget.js';

/** Longest string that is read, in bytes; longer ones are cut. */
const MAX_BYTES = 16 * 1024;
/** What a byte of a string costs: strings overlap in hostile files, and are kept. */
const BYTE_WORK = 8;
const UTF8 = 0x100;
const STRING_POOL = 0x0001;

/** The strings of a binary XML or a resource table. They are decoded when they are asked for, each once. */
export class StringPool {
  private readonly known = new Map<number, string>();
  private readonly count: number;
  private readonly isUtf8: boolean;
  private readonly headerSize: number;
  private readonly start: number;

  /**
   * @param chunk the whole chunk
   * @throws RangeError when it is none
   */
  constructor(
    private readonly chunk: Buffer,
    private readonly work: WorkBudget,
  ) {
    if (chunk.readUInt16LE(0) !== STRING_POOL) throw new RangeError('It is no pool of strings.');
    this.headerSize = chunk.readUInt16LE(2);
    this.count = chunk.readUInt32LE(8);
    this.isUtf8 = (chunk.readUInt32LE(16) & UTF8) !== 0;
    this.start = chunk.readUInt32LE(20);
  }

  /** @returns `null`: there is no such string @throws RangeError when it is not in the pool @throws TooMuchWorkError */
  at(index: number): string | null {
    if (index >= this.count) return null;
    const known = this.known.get(index);
    if (known !== undefined) return known;
    const at = this.start + this.chunk.readUInt32LE(this.headerSize + 4 * index);
    const text = this.isUtf8 ? this.utf8(at) : this.utf16(at);
    this.known.set(index, text);
    return text;
  }

  private utf16(at: number): string {
    const first = this.chunk.readUInt16LE(at);
    const isLong = (first & 0x8000) !== 0;
    const length = isLong ? ((first & 0x7fff) << 16) | this.chunk.readUInt16LE(at + 2) : first;
    return this.slice(at + (isLong ? 4 : 2), 2 * length).toString('utf16le');
  }

  /** Before the bytes are the lengths in UTF-16 units and in bytes. */
  private utf8(at: number): string {
    const bytes = at + (this.chunk.readUInt8(at) & 0x80 ? 2 : 1);
    const first = this.chunk.readUInt8(bytes);
    const isLong = (first & 0x80) !== 0;
    const length = isLong ? ((first & 0x7f) << 8) | this.chunk.readUInt8(bytes + 1) : first;
    return this.slice(bytes + (isLong ? 2 : 1), length).toString('utf8');
  }

  private slice(start: number, length: number): Buffer {
    const end = start + Math.min(length, MAX_BYTES);
    this.work.spend(BYTE_WORK * (end - start + 1));
    if (end > this.chunk.length) throw new RangeError('The string ends too late.');
    return this.chunk.subarray(start, end);
  }
}
