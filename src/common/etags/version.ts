import type { Response } from 'express';
import type { IfMatch } from './if-match.js';

/** An object that `If-Match` protects. */
export interface Versioned {
  readonly id: string;
  /** Raised by every change of the object's own fields. */
  readonly version: number;
}

/**
 * Adds the id and the version of the object to the `ETag` of this response.
 *
 * @returns the body
 */
export function sendVersioned<Body>(response: Response, object: Versioned, body: Body): Body {
  response.locals['tagPrefix'] = tagPrefixOf(object);
  return body;
}

/**
 * The tag of an object for `If-Match`, as bodies have it: that of its responses without the hash, which `If-Match` ignores.
 */
export function etagOf(object: Versioned): string {
  return `"${tagPrefixOf(object)}"`;
}

/** What `sendVersioned` adds to the tag of a response; empty for others. */
export function sentTagPrefix({ locals }: Response): string {
  return (locals['tagPrefix'] as string | undefined) ?? '';
}

/**
 * Whether the object is in a state that the caller knows. Only id and version are compared: the rest of the tag also
 * changes with what the response shows besides the object's own fields, such as numbers of devices.
 */
export function matches(ifMatch: IfMatch, object: Versioned): boolean {
  const prefix = `"${tagPrefixOf(object)}`;
  return ifMatch.some((tag) => tag.startsWith(prefix));
}

function tagPrefixOf({ id, version }: Versioned): string {
  return `${id}.${version}.`;
}
