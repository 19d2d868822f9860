import { hash } from 'node:crypto';

export const EXAMPLE_TIME = '2026-03-14T09:26:53.000Z';

/** A SHA-256 in examples. */
export const EXAMPLE_SHA256 = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

/** The tag of a stored part in examples. */
export const EXAMPLE_ETAG = '5d41402abc4b2a76b9719d911017c592';

/**
 * The id of the one object of a kind that all examples are about.
 *
 * @param kind such as `Channel`
 */
export function exampleId(kind: string): string {
  const digits = hash('sha256', kind);
  return `0199b0c2-7c1e-7${digits.slice(0, 3)}-a${digits.slice(3, 6)}-${digits.slice(6, 18)}`;
}
