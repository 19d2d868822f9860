/** A file as a manifest lists it. */
export interface ListedFile {
  readonly href: string;
  /** SHA-256, lower-case hexadecimal. */
  readonly checksum: string;
}

/**
 * `content`: a device would copy a file with other content. `absent`: it would copy a file that it does not have, which
 * plugins before 7.2.2 do not download instead.
 */
export type UnsafeReuseKind = 'content' | 'absent';

/** What a device would do wrong while it builds a bundle from the one that it runs. */
export interface UnsafeReuse {
  readonly kind: UnsafeReuseKind;
  /** The first file of the new bundle that is affected. */
  readonly href: string;
}

/**
 * Whether a device builds a wrong bundle from the one that it runs, when both manifests are used as they were uploaded.
 * The plugins copy a file of the new bundle from the same path of the running one as soon as its checksum occurs anywhere
 * in the manifest of the running one (see `toNamedManifest`).
 *
 * @returns `null`: every file that is copied has the right content; otherwise `content` before `absent`
 */
export function findUnsafeReuse(
  bundle: readonly ListedFile[],
  running: readonly ListedFile[],
): UnsafeReuse | null {
  const byHref = new Map(running.map(({ href, checksum }) => [href, checksum]));
  const known = new Set(byHref.values());
  let absent: UnsafeReuse | null = null;
  for (const { href, checksum } of bundle) {
    if (!known.has(checksum)) continue;
    const copied = byHref.get(href);
    if (copied === undefined) absent ??= { kind: 'absent', href };
    else if (copied !== checksum) return { kind: 'content', href };
  }
  return absent;
}
