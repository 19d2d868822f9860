import { InvalidRequestError, errorOf } from '../errors/app-error.js';

/** Deepest nesting of multipart fields, whose names may be paths such as `a[b]`. JSON is checked before. */
const MAX_DEPTH = 32;

/**
 * Refuses text that no field can hold: NUL characters, which PostgreSQL cannot store, and lone surrogates. Refuses
 * values that are nested so deeply that only an attack explains it.
 *
 * @param value anything that was parsed from a request; keys are checked too
 * @throws InvalidRequestError
 */
export function assertWellFormed(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw errorOf('malformed_text');
  } else if (typeof value === 'object' && value !== null) {
    if (depth === MAX_DEPTH) throw new InvalidRequestError('The request is nested too deeply.');
    for (const [key, member] of Object.entries(value)) {
      assertWellFormed(key);
      assertWellFormed(member, depth + 1);
    }
  }
}
