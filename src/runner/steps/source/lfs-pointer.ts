/** A file in Git LFS of which only the pointer is there. */
export interface LfsPointer {
  /** Relative to the working copy. */
  readonly path: string;
  /** SHA-256 of the content, in lower-case hexadecimal digits. */
  readonly oid: string;
  /** Of the content, in bytes. */
  readonly size: number;
}

/** The files of a source of which only the pointers are there. */
export interface UnfetchedFiles {
  readonly pointers: readonly LfsPointer[];
  /** What to do about them: a sentence behind a colon, without a full stop. */
  readonly advice: string;
}

/** How every pointer begins. */
export const POINTER_START = 'version https://git-lfs.github.com/spec/v1';
/** A file with another size is no pointer, by the specification and by what one must hold. */
export const MAX_POINTER_BYTES = 1024;
export const MIN_POINTER_BYTES = 100;

/** https://github.com/git-lfs/git-lfs/blob/main/docs/spec.md; a checkout can have made Windows line ends of the others. */
const POINTER =
  /^version [^\r\n]+\r?\n(?:ext-[^\r\n]+\r?\n)*oid sha256:([0-9a-f]{64})\r?\nsize (\d{1,15})\r?\n?$/;

/** @param bytes the whole file, or more than a pointer has @returns `null`: it is no pointer */
export function parsePointer(bytes: Buffer): Omit<LfsPointer, 'path'> | null {
  if (bytes.length > MAX_POINTER_BYTES || bytes.indexOf(POINTER_START) !== 0) return null;
  const [, oid, size] = POINTER.exec(bytes.toString('latin1')) ?? [];
  return oid === undefined ? null : { oid, size: Number(size) };
}

/** Paths for a sentence: the first three, and how many more there are. */
export function namePaths(paths: readonly string[]): string {
  const shown = paths.slice(0, 3).map((path) => path.replaceAll(/\p{C}/gu, '').slice(0, 200));
  const more = paths.length - shown.length;
  return `${shown.join(', ')}${more === 0 ? '' : ` and ${more.toLocaleString('en')} more`}`;
}
