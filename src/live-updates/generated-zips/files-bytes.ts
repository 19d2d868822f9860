/**
 * Bytes that a device downloads when it fetches every file of a bundle separately, by the best content coding that it
 * accepts. A file without a variant in a coding is sent uncompressed.
 */
export interface FilesBytes {
  readonly br: number;
  readonly gzip: number;
}

/**
 * Bytes of the head of a response that Slipway sends for a file, in HTTP/1.1: 488 to 525, as `npm run bench:transfer`
 * measures. The request takes about as many more, and HTTP/2 of a proxy compresses both, so this is no exact figure.
 */
export const RESPONSE_HEAD_BYTES = 500;

/** A zip is kept when it saves at least so many bytes: for less, storage does not hold a second copy of every file. */
export const MIN_SAVED_BYTES = 4096;

/**
 * Bundles whose files take more bytes get no zip: it would keep a processor busy for more than ten seconds, and a device
 * whose connection breaks begins a zip from the start.
 */
const MAX_BYTES = 256 * 1024 * 1024;

/** Whether a zip of these files is made at all. */
export function isSmallEnough(files: readonly { readonly sizeInBytes: number }[]): boolean {
  return files.reduce((total, { sizeInBytes }) => total + sizeInBytes, 0) <= MAX_BYTES;
}

/** What the requests for a number of files take, with the heads of their responses. */
export function withHeads({ br, gzip }: FilesBytes, files: number): FilesBytes {
  const heads = files * RESPONSE_HEAD_BYTES;
  return { br: br + heads, gzip: gzip + heads };
}

/** Whether a zip saves enough in any coding. */
export function isWorthwhile(zipBytes: number, { br, gzip }: FilesBytes): boolean {
  return Math.max(br, gzip) - zipBytes - RESPONSE_HEAD_BYTES >= MIN_SAVED_BYTES;
}
