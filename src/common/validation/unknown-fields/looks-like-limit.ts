import { distance, plainName } from './nearest-field.js';

/** Fields that limit who can use an object, or what a member can do. */
const limits = ['role', 'allowedRefs', 'protected'];

/** Letters in which a misspelt name differs, at most. */
const MISSPELT = 2;

/** Whether a name could be meant as a limit: `scope(s)`, `expires…`, and what is almost the name of one. */
export function looksLikeLimit(name: string): boolean {
  const plain = plainName(name);
  if (/^(scopes?$|expires)/.test(plain)) return true;
  return limits.some(
    (limit) => Math.abs(plain.length - limit.length) <= MISSPELT && distance(plain, limit) <= MISSPELT,
  );
}
