/** The largest `data` of an event, in bytes of JSON: with what stands beside it, an event has at most 64 kB. */
export const MAX_DATA_BYTES = 60_000;
/** Texts are not cut below this length. */
const SHORTEST = 20;
/** In JSON: what PostgreSQL takes in no text of `jsonb`, half of a surrogate pair and NUL. May find more than there is. */
const MAY_BE_UNSTORABLE = /\\u(?:d[89a-f]|0000)/;

/**
 * Cuts the longest texts until the data is small enough, and marks each with how long it was. A half of a surrogate pair, as
 * texts have that were cut elsewhere, becomes U+FFFD as in columns of texts, and NUL is left out: no change fails because of
 * its event.
 *
 * @param data JSON
 * @throws Error when it is too large without long texts
 */
export function fitData<Data extends object>(data: Data, maxBytes = MAX_DATA_BYTES): Data {
  const isStorable = !MAY_BE_UNSTORABLE.test(JSON.stringify(data));
  const storable = isStorable ? data : (mapTexts(data, toStorable) as Data);
  let fitted = storable;
  for (
    let length = maxBytes;
    Buffer.byteLength(JSON.stringify(fitted)) > maxBytes;
    length = Math.floor(length / 2)
  ) {
    if (length < SHORTEST) throw new Error('The data of an event is too large.');
    fitted = mapTexts(storable, (text) => cut(text, length)) as Data;
  }
  return fitted;
}

/** As `value`, with other texts. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, change));
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]));
}

function toStorable(text: string): string {
  return text.toWellFormed().replaceAll('\0', '');
}

/** At most `length` characters and a mark. */
function cut(text: string, length: number): string {
  return text.length <= length ? text : `${cleanCut(text, length)}… (cut, ${text.length} characters)`;
}

/** Leaves no half of a surrogate pair. */
function cleanCut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}
