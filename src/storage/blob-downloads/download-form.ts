import type { Response } from 'express';
import type { BlobEncoding } from '../blob-variants/blob-variant.entity.js';
import type { Blob } from '../blobs/blob.entity.js';

/** A blob, as far as downloads are concerned. */
export type DownloadedBlob = Pick<Blob, 'id' | 'sha256' | 'sizeInBytes' | 'damagedAt'>;

/** What is sent instead of the bytes of a blob: the same in a content coding. */
export interface EncodedBlob {
  /** As in `Content-Encoding`. */
  readonly encoding: BlobEncoding;
  /** The object in storage. */
  readonly objectId: string;
  /** Length in this coding. */
  readonly sizeInBytes: number;
  /** Of the bytes in this coding; `null`: not known. */
  readonly sha256: string | null;
}

/** An object to send: that of a blob, whose `encoding` is `null`, or of a variant. */
export type Form = Omit<EncodedBlob, 'encoding'> & { readonly encoding: BlobEncoding | null };

/** The bytes of the blob itself. */
export function plainForm({ id, sizeInBytes, sha256 }: DownloadedBlob): Form {
  return { encoding: null, objectId: id, sizeInBytes, sha256 };
}

/** Names the bytes that are sent: the same coding in another quality has others. */
export function etagOf({ sha256 }: DownloadedBlob, { encoding, objectId }: Form): string {
  return encoding === null ? `"${sha256}"` : `"${sha256}-${encoding}-${objectId}"`;
}

/** Sets the headers that describe the bytes. */
export function describe(response: Response, { encoding, sizeInBytes }: Form): void {
  response.setHeader('Content-Length', String(sizeInBytes));
  if (encoding === null) response.removeHeader('Content-Encoding');
  else response.setHeader('Content-Encoding', encoding);
}
