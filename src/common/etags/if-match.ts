import { InvalidRequestError } from '../errors/app-error.js';

/** The entity tags that the caller would change an object in, still quoted; weak ones with `W/`. */
export type IfMatch = readonly string[];

/** RFC 9110, 8.8.3. Node reads the bytes of a header as Latin-1. */
const ENTITY_TAG = '(?:W/)?"[\\x21\\x23-\\x7e\\x80-\\xff]*"';
const entityTags = new RegExp(ENTITY_TAG, 'g');
/** Empty entries of a list mean nothing (RFC 9110, 5.6.1). */
const listOfEntityTags = new RegExp(`^[ \\t,]*${ENTITY_TAG}(?:[ \\t]*,(?:[ \\t]*${ENTITY_TAG})?)*[ \\t]*$`);

/**
 * Reads the header `If-Match`.
 *
 * @returns `undefined`: no condition. That is also `*`, "it exists": what does not exist is a 404 anyway.
 * @throws InvalidRequestError
 */
export function parseIfMatch(header: string | undefined): IfMatch | undefined {
  if (header === undefined || header.trim() === '*') return undefined;
  if (!listOfEntityTags.test(header)) {
    throw new InvalidRequestError('If-Match must be * or a list of entity tags, each in double quotes.');
  }
  return header.match(entityTags) ?? [];
}
