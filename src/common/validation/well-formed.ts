import { InvalidRequestError } from '../errors/app-error.js';

/**
 * Refuses text that no field can hold: NUL characters, which PostgreSQL cannot store, and lone surrogates.
 *
 * @param value anything that was parsed from a request; keys are checked too
 * @throws InvalidRequestError
 */
export function assertWellFormed(value: unknown): void {
  if (typeof value === 'string') {
    if (value.includes('\0') || !value.isWellFormed()) throw malformedText();
  } else if (Array.isArray(value)) {
    value.forEach(assertWellFormed);
  } else if (typeof value === 'object' && value !== null) {
    for (const [key, member] of Object.entries(value)) {
      assertWellFormed(key);
      assertWellFormed(member);
    }
  }
}

/** The error for text that is not well-formed. */
export function malformedText(): InvalidRequestError {
  return new InvalidRequestError(
    'The request contains a NUL character or text that is not valid Unicode.',
    'malformed_text',
  );
}
