import type { WorkBudget } from '../../../common/work-budget.js';
import { chunksOf, typedValue } from './chunks.js';
import { StringPool } from './string-pool.js';
import { MAX_LEVEL, type XmlAttribute, type XmlNode } from './xml-node.js';

const XML = 0x0003;
const STRING_POOL = 0x0001;
const RESOURCE_MAP = 0x0180;
const START_ELEMENT = 0x0102;
const END_ELEMENT = 0x0103;
const ATTRIBUTE_BYTES = 20;
/** What an attribute costs, besides its strings. */
const ATTRIBUTE_WORK = 128;

type OpenNode = XmlNode & { readonly children: XmlNode[] };

/**
 * Reads XML in the binary form of an apk.
 *
 * @throws Error when it is none
 * @throws TooMuchWorkError
 */
export function parseBinaryXml(file: Buffer, work: WorkBudget): XmlNode {
  if (file.readUInt16LE(0) !== XML) throw new RangeError('It is no binary XML.');
  const end = Math.min(file.readUInt32LE(4), file.length);
  const parser = new Parser(work);
  for (const { type, headerSize, bytes } of chunksOf(file.subarray(0, end), file.readUInt16LE(2), work)) {
    if (type === STRING_POOL) parser.strings ??= new StringPool(bytes, work);
    else if (type === RESOURCE_MAP) parser.ids ??= bytes.subarray(headerSize);
    else if (type === START_ELEMENT) parser.start(bytes.subarray(headerSize));
    else if (type === END_ELEMENT) parser.end();
  }
  if (parser.root === null) throw new RangeError('It has no element.');
  return parser.root;
}

class Parser {
  root: XmlNode | null = null;
  strings: StringPool | null = null;
  /** Of the attributes whose names are the first strings. */
  ids: Buffer | null = null;
  private level = 0;
  private readonly open: OpenNode[] = [];

  constructor(private readonly work: WorkBudget) {}

  start(body: Buffer): void {
    this.level++;
    if (this.level > MAX_LEVEL) return;
    const node: OpenNode = {
      name: this.string(body.readUInt32LE(4)) ?? '',
      attributes: this.attributesOf(body),
      children: [],
    };
    const parent = this.open.at(-1);
    if (parent !== undefined) parent.children.push(node);
    else if (this.root === null) this.root = node;
    else throw new RangeError('It has several roots.');
    this.open.push(node);
  }

  end(): void {
    if (this.level === 0) throw new RangeError('An element ends that has not begun.');
    if (this.level <= MAX_LEVEL) this.open.pop();
    this.level--;
  }

  private attributesOf(body: Buffer): Map<number | string, XmlAttribute> {
    const [start, size, count] = [body.readUInt16LE(8), body.readUInt16LE(10), body.readUInt16LE(12)];
    const attributes = new Map<number | string, XmlAttribute>();
    if (count === 0) return attributes;
    // Smaller ones would overlap: then a small file has millions of them.
    if (size < ATTRIBUTE_BYTES || start + size * count > body.length)
      throw new RangeError('The attributes do not fit.');
    this.work.spend(ATTRIBUTE_WORK * count);
    for (let at = start; at < start + size * count; at += size) {
      const key = this.keyOf(body.readUInt32LE(at + 4));
      // Of several, Android takes the first.
      if (!attributes.has(key)) attributes.set(key, this.valueAt(body, at));
    }
    return attributes;
  }

  private keyOf(nameIndex: number): number | string {
    const at = 4 * nameIndex;
    const id = this.ids !== null && at + 4 <= this.ids.length ? this.ids.readUInt32LE(at) : 0;
    return id === 0 ? (this.string(nameIndex) ?? '') : id;
  }

  private valueAt(body: Buffer, at: number): XmlAttribute {
    const value = typedValue(body.readUInt8(at + 15), body.readUInt32LE(at + 16));
    const text = value?.kind === 'string' ? this.string(value.data) : this.string(body.readUInt32LE(at + 8));
    return {
      text,
      reference: value?.kind === 'reference' ? value.data : null,
      integer: value?.kind === 'integer' ? value.data : null,
      boolean: value?.kind === 'boolean' ? value.data : null,
    };
  }

  private string(index: number): string | null {
    return this.strings?.at(index) ?? null;
  }
}
