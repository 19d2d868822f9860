/**
 * Arrays as PostgreSQL takes them in binary form (`array_recv`): five numbers of 32 bits, which are how many dimensions
 * there are, whether elements are null, their type, how many there are, and the index of the first; then each with its
 * length before it, -1 for null. As parameters they are neither quoted nor read again, and take no memory of the heap.
 */

const HEADER = 20;
const LENGTH = 4;

/** Ids of types, as in the catalog `pg_type`. */
const BOOLEAN = 16;
const INTEGER = 23;
const TEXT = 25;
const DOUBLE = 701;

/** For `boolean[]`. */
export function booleanArray(values: readonly boolean[]): Buffer {
  return fixedArray(BOOLEAN, 1, values, (array, value, at) => array.writeUInt8(value ? 1 : 0, at));
}

/** For `integer[]`. */
export function integerArray(values: readonly number[]): Buffer {
  return fixedArray(INTEGER, 4, values, (array, value, at) => array.writeInt32BE(value, at));
}

/** For `double precision[]`. */
export function doubleArray(values: readonly number[]): Buffer {
  return fixedArray(DOUBLE, 8, values, (array, value, at) => array.writeDoubleBE(value, at));
}

/** For `text[]`. */
export function textArray(texts: readonly (string | null)[]): Buffer {
  const lengths = texts.map((text) => (text === null ? 0 : Buffer.byteLength(text)));
  const size = lengths.reduce((sum, length) => sum + LENGTH + length, HEADER);
  const array = started(TEXT, texts.length, size);
  let at = HEADER;
  texts.forEach((text, index) => {
    const length = lengths[index] ?? 0;
    at = array.writeInt32BE(text === null ? -1 : length, at);
    if (text !== null) at += array.write(text, at);
  });
  return array;
}

function fixedArray<T>(
  type: number,
  size: number,
  values: readonly T[],
  write: (array: Buffer, value: T, at: number) => void,
): Buffer {
  const array = started(type, values.length, HEADER + values.length * (LENGTH + size));
  values.forEach((value, index) => {
    const at = array.writeInt32BE(size, HEADER + index * (LENGTH + size));
    write(array, value, at);
  });
  return array;
}

/** With its header: one dimension, nulls or not, from index 1 on. */
function started(type: number, count: number, size: number): Buffer {
  const array = Buffer.allocUnsafe(size);
  [1, 1, type, count, 1].forEach((number, index) => array.writeInt32BE(number, index * LENGTH));
  return array;
}
