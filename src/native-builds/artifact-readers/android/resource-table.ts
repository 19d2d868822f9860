import type { WorkBudget } from '../../../common/work-budget.js';
import type { ResourceValue } from './app-package.js';
import { type Chunk, chunkAt, chunksOf, typedValue } from './chunks.js';
import { StringPool } from './string-pool.js';

const TABLE = 0x0002;
const PACKAGE = 0x0200;
const TYPE = 0x0201;
/** Flags of a type: entries that are not listed have no value, or their offsets take two bytes. */
const SPARSE = 0x01;
const OFFSETS_OF_TWO_BYTES = 0x02;
/** Flags of an entry: a list of values, or one whose value is in its header. */
const COMPLEX = 0x0001;
const COMPACT = 0x0008;

/** What looking for a value in one configuration costs, besides its text. */
const VALUE_WORK = 128;

/** The resources of an apk (`resources.arsc`), found by an index of their types. */
export class ResourceTable {
  private readonly strings: StringPool;
  /** One chunk for each configuration, by the upper half of the ids: package and type. */
  private readonly types = new Map<number, Chunk[]>();

  /** @throws RangeError when it is none @throws TooMuchWorkError */
  constructor(
    file: Buffer,
    private readonly work: WorkBudget,
  ) {
    const { type, headerSize, bytes } = chunkAt(file, 0);
    if (type !== TABLE) throw new RangeError('It is no table of resources.');
    let strings: StringPool | null = null;
    for (const chunk of chunksOf(bytes, headerSize, work)) {
      strings ??= new StringPool(chunk.bytes, work);
      if (chunk.type === PACKAGE) this.index(chunk);
    }
    this.strings = strings ?? new StringPool(Buffer.alloc(0), work);
  }

  /** The values of a resource. @throws RangeError when the table is damaged @throws TooMuchWorkError */
  valuesOf(id: number): ResourceValue[] {
    const found: ResourceValue[] = [];
    for (const chunk of this.types.get(id >>> 16) ?? []) {
      this.work.spend(VALUE_WORK);
      const value = this.valueOf(chunk, id & 0xffff);
      if (value !== null) found.push({ ...configurationOf(chunk.bytes), value });
    }
    return found;
  }

  private index({ headerSize, bytes }: Chunk): void {
    const packageId = bytes.readUInt32LE(8);
    if (packageId > 0xff) return;
    for (const chunk of chunksOf(bytes, headerSize, this.work)) {
      if (chunk.type !== TYPE) continue;
      const key = (packageId << 8) | chunk.bytes.readUInt8(8);
      const chunks = this.types.get(key);
      if (chunks === undefined) this.types.set(key, [chunk]);
      else chunks.push(chunk);
    }
  }

  private valueOf(chunk: Chunk, index: number): string | number | null {
    const { bytes } = chunk;
    const offset = offsetOf(chunk, index);
    if (offset === null) return null;
    const at = bytes.readUInt32LE(16) + offset;
    const [size, flags] = [bytes.readUInt16LE(at), bytes.readUInt16LE(at + 2)];
    if ((flags & COMPACT) !== 0) return this.textOrReference(flags >>> 8, bytes.readUInt32LE(at + 4));
    if ((flags & COMPLEX) !== 0) return null;
    return this.textOrReference(bytes.readUInt8(at + size + 3), bytes.readUInt32LE(at + size + 4));
  }

  private textOrReference(type: number, data: number): string | number | null {
    const value = typedValue(type, data);
    if (value?.kind === 'string') return this.strings.at(value.data);
    return value?.kind === 'reference' ? value.data : null;
  }
}

/** Where the entry of an index is; `null`: there is none. */
function offsetOf({ bytes, headerSize }: Chunk, index: number): number | null {
  const flags = bytes.readUInt8(9);
  const count = bytes.readUInt32LE(12);
  if ((flags & SPARSE) !== 0) {
    return sparseOffsetOf(bytes, headerSize, count, index);
  }
  if (index >= count) return null;
  if ((flags & OFFSETS_OF_TWO_BYTES) !== 0) {
    const offset = bytes.readUInt16LE(headerSize + 2 * index);
    return offset === 0xffff ? null : 4 * offset;
  }
  const offset = bytes.readUInt32LE(headerSize + 4 * index);
  return offset === 0xffffffff ? null : offset;
}

/** As Android does, which relies on the order of the indexes. */
function sparseOffsetOf(bytes: Buffer, start: number, count: number, index: number): number | null {
  let [from, to] = [0, count];
  while (from < to) {
    const middle = Math.floor((from + to) / 2);
    const found = bytes.readUInt16LE(start + 4 * middle);
    if (found === index) return 4 * bytes.readUInt16LE(start + 4 * middle + 2);
    if (found < index) from = middle + 1;
    else to = middle;
  }
  return null;
}

/** What a type's values are for. The configuration begins behind its header, with its own size. */
function configurationOf(bytes: Buffer): Pick<ResourceValue, 'density' | 'isDefault'> {
  const locale = bytes.readUInt32LE(20 + 8);
  return { density: bytes.readUInt16LE(20 + 14), isDefault: locale === 0 };
}
