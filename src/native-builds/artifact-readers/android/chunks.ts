import type { WorkBudget } from '../../../common/work-budget.js';

/** A part of a binary XML or a resource table. */
export interface Chunk {
  readonly type: number;
  readonly headerSize: number;
  /** With its header. */
  readonly bytes: Buffer;
}

const HEADER_BYTES = 8;
/** What a chunk costs, besides its content: large apps have some thousands. */
const CHUNK_WORK = 256;

/**
 * The chunks that follow each other in a buffer.
 *
 * @throws RangeError when one does not fit
 * @throws TooMuchWorkError
 */
export function* chunksOf(bytes: Buffer, from: number, work: WorkBudget): Generator<Chunk> {
  for (let at = from; at + HEADER_BYTES <= bytes.length;) {
    work.spend(CHUNK_WORK);
    const chunk = chunkAt(bytes, at);
    yield chunk;
    at += chunk.bytes.length;
  }
}

/** @throws RangeError when it does not fit */
export function chunkAt(bytes: Buffer, at: number): Chunk {
  const type = bytes.readUInt16LE(at);
  const headerSize = bytes.readUInt16LE(at + 2);
  const size = bytes.readUInt32LE(at + 4);
  if (headerSize < HEADER_BYTES || size < headerSize || at + size > bytes.length) {
    throw new RangeError('The chunk does not fit.');
  }
  return { type, headerSize, bytes: bytes.subarray(at, at + size) };
}

/** Types of values (`Res_value`). */
const REFERENCES = [0x01, 0x07];
const STRING = 0x03;
const INTEGERS = [0x10, 0x11];
const BOOLEAN = 0x12;

/** A typed value; what is none of these is not read. */
export type TypedValue =
  | { readonly kind: 'reference' | 'string' | 'integer'; readonly data: number }
  | { readonly kind: 'boolean'; readonly data: boolean };

/** @returns `null`: of another type @param data of the value, unsigned */
export function typedValue(type: number, data: number): TypedValue | null {
  // The reference 0 is `@null`.
  if (REFERENCES.includes(type)) return data === 0 ? null : { kind: 'reference', data };
  if (type === STRING) return { kind: 'string', data };
  if (INTEGERS.includes(type)) return { kind: 'integer', data: data | 0 };
  return type === BOOLEAN ? { kind: 'boolean', data: data !== 0 } : null;
}
