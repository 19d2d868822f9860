import { hash } from 'node:crypto';

/** A file that devices get. */
export interface ContentFile {
  readonly href: string;
  /** Lower-case hexadecimal; `null`: not known. */
  readonly sha256: string | null;
  /** Base64; `null`: it has none of its own. */
  readonly signature: string | null;
}

/**
 * What two bundles have in common that are the same to devices: the form, the paths, contents and signatures of all files,
 * whatever their order and times are.
 *
 * @param signature of the zip; `null`: a manifest bundle, or an unsigned zip
 * @returns SHA-256, lower-case hexadecimal
 */
export function contentDigest(
  type: 'zip' | 'manifest',
  signature: string | null,
  files: readonly ContentFile[],
): string {
  const sorted = files
    .map(({ href, sha256, signature }) => [href, sha256, signature] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return hash('sha256', JSON.stringify([type, signature, sorted]));
}

/**
 * As `contentDigest`, of a registered zip, which Slipway has never seen.
 *
 * @param checksum SHA-256 of the zip, lower-case hexadecimal; `null`: not known @returns `null`: nothing is known
 */
export function registeredDigest(checksum: string | null, signature: string | null): string | null {
  return checksum === null ? null : hash('sha256', JSON.stringify(['registered', signature, checksum]));
}
