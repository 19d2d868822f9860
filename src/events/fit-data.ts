/** The largest `data` of an event, in bytes of JSON: with what stands beside it, an event has at most 64 kB. */
export const MAX_DATA_BYTES = 60_000;
/** Texts are not cut below this length. */
const SHORTEST = 100;

/**
 * Cuts the longest texts until the data is small enough, and marks each with how long it was.
 *
 * @param data JSON
 * @throws Error when it is too large without long texts
 */
export function fitData<Data extends object>(data: Data, maxBytes = MAX_DATA_BYTES): Data {
  let fitted = data;
  for (
    let length = maxBytes;
    Buffer.byteLength(JSON.stringify(fitted)) > maxBytes;
    length = Math.floor(length / 2)
  ) {
    if (length < SHORTEST) throw new Error('The data of an event is too large.');
    fitted = cut(data, length) as Data;
  }
  return fitted;
}

/** As `value`, with texts of at most `length` characters and a mark. */
function cut(value: unknown, length: number): unknown {
  if (typeof value === 'string') {
    return value.length <= length ? value : `${cleanCut(value, length)}… (cut, ${value.length} characters)`;
  }
  if (Array.isArray(value)) return value.map((item) => cut(item, length));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, cut(item, length)]));
}

/** Leaves no half of a surrogate pair. */
function cleanCut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
