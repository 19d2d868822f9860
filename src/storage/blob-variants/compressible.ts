/** Smaller files fit into a packet or two either way. */
const MIN_BYTES = 1024;

/** Larger files would keep a processor busy for minutes. */
const MAX_BYTES = 64 * 1024 * 1024;

const TEXT_TYPE =
  /^text\/|[/+](json|xml)$|^application\/(javascript|ecmascript|x-javascript|manifest\+json|wasm)$/;

const TEXT_NAME = /\.(css|csv|html?|js|json|map|md|mjs|svg|txt|wasm|webmanifest|xml)$/;

/** Media types of which clients know nothing better; the name decides then. */
const UNTOLD_TYPE = /^$|^application\/octet-stream$/;

/** What is known of a file. */
export interface FileDescription {
  /** Path or name. */
  readonly name: string;
  /** Media type as the client states it, perhaps with parameters. */
  readonly mimeType: string;
  readonly sizeInBytes: number;
}

/**
 * Whether a file is worth an attempt to compress it: text (and WebAssembly) of 1 KiB to 64 MiB. Zips, images, fonts,
 * audio and video are compressed already; even the fonts and images that are not can rarely be recognized by their type.
 */
export function isCompressible({ name, mimeType, sizeInBytes }: FileDescription): boolean {
  if (sizeInBytes < MIN_BYTES || sizeInBytes > MAX_BYTES) return false;
  const type = (mimeType.split(';', 1)[0] ?? '').trim().toLowerCase();
  return UNTOLD_TYPE.test(type) ? TEXT_NAME.test(name.toLowerCase()) : TEXT_TYPE.test(type);
}
