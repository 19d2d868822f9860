/** Shared first letters that count as the same word: `expires` and `expiresAt`, `orgs` and `organizationIds`. */
const SAME_WORD = 3;

/** What other APIs call a field, and what it is called here, where a request has such a field. */
const synonyms: ReadonlyMap<string, readonly string[]> = new Map([
  ['scope', ['permissions', 'role', 'allowedRefs']],
  ['scopes', ['permissions', 'role', 'allowedRefs']],
  ['role', ['permissions']],
  ['roles', ['permissions']],
]);

/**
 * The field that was probably meant by a name: a synonym, else one that begins with the same word, else the one at the
 * smallest distance. Upper case, `_` and `-` do not count.
 *
 * @returns `undefined` if none is near
 */
export function nearestField(name: string, fields: readonly string[]): string | undefined {
  const plain = plainName(name);
  const synonym = synonyms.get(plain)?.find((field) => fields.includes(field));
  if (synonym !== undefined) return synonym;
  const [nearest] = fields
    .map((field) => ({
      field,
      shared: sharedStart(plain, plainName(field)),
      distance: distance(plain, field),
    }))
    .filter(({ field, shared, distance: letters }) => shared > 0 || letters <= field.length / 2)
    .sort((a, b) => b.shared - a.shared || a.distance - b.distance);
  return nearest?.field;
}

/** Letters to add, drop or replace between two names (Levenshtein), without upper case, `_` and `-`. */
export function distance(a: string, b: string): number {
  const [from, to] = [plainName(a), plainName(b)];
  let row = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (let i = 1; i <= from.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = above[j - 1]! + (from[i - 1] === to[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1));
    }
  }
  return row[to.length]!;
}

/** As names are compared. */
export function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[_-]/g, '');
}

/** How many letters two names begin with, if those are a word. */
function sharedStart(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length >= SAME_WORD ? length : 0;
}
