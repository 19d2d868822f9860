import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { DamagedFileError } from '../../common/errors/app-error.js';
import { isPrematureClose } from '../../common/http/is-premature-close.js';
import type { BlobEncoding } from '../blob-variants/blob-variant.entity.js';
import type { Blob } from './blob.entity.js';

/** What is sent instead of the bytes of a blob: the same in a content coding. */
export interface EncodedBlob {
  /** As in `Content-Encoding`. */
  readonly encoding: BlobEncoding;
  /** The object in storage. */
  readonly objectId: string;
  /** Length in this coding. */
  readonly sizeInBytes: number;
}

/** Ways to send a blob other than as its own bytes. */
export interface SendOptions {
  /** Is sent instead; its `ETag` names the object, because the same coding in another quality has other bytes. */
  readonly encoded?: EncodedBlob;
  /** Where the client can read the bytes itself; `null`: nowhere. */
  readonly redirect?: () => Promise<string | null>;
}

/** Headers that describe the bytes, besides those of the caller. */
const DESCRIBING = ['ETag', 'Content-Length', 'Content-Encoding'];

/**
 * Streams a blob as the answer: with its length, its SHA-256 as `ETag`, and 304 when the client has it already. The
 * whole blob is sent, also to a client that asks for a range of it: it may (RFC 9110, section 14.2).
 *
 * @param headers further headers; `Content-Type` and `Cache-Control` among them
 * @returns the bytes that were sent, or that a redirect leads to; `null` when that was not all of them, when nothing had to
 *   be sent, or when a part of them was requested by a redirect
 * @throws DamagedFileError when the stored bytes are known to be others
 */
export async function sendBlob(
  response: Response,
  blob: Pick<Blob, 'sha256' | 'sizeInBytes' | 'damagedAt'>,
  open: () => Promise<Readable>,
  headers: Readonly<Record<string, string>>,
  { encoded, redirect }: SendOptions = {},
): Promise<number | null> {
  const names = [...DESCRIBING, ...Object.keys(headers)];
  const before = names.map((name) => [name, response.getHeader(name)] as const);
  const refuse = (error: unknown): never => {
    // What describes the bytes must not describe the error that is sent instead.
    for (const [name, value] of before) {
      if (value === undefined) response.removeHeader(name);
      else response.setHeader(name, value);
    }
    throw error;
  };
  const { sizeInBytes } = encoded ?? blob;
  const suffix = encoded === undefined ? '' : `-${encoded.encoding}-${encoded.objectId}`;
  response.set({ ...headers, ETag: `"${blob.sha256}${suffix}"` });
  if (response.req.fresh) {
    response.status(304).end();
    return null;
  }
  if (blob.damagedAt !== null) refuse(new DamagedFileError());
  response.setHeader('Content-Length', String(sizeInBytes));
  if (encoded !== undefined) response.setHeader('Content-Encoding', encoded.encoding);
  if (response.req.method === 'HEAD') {
    response.end();
    return null;
  }
  const address = (await redirect?.().catch(refuse)) ?? null;
  if (address !== null) {
    for (const name of [...DESCRIBING, 'Content-Type', 'Content-Disposition']) response.removeHeader(name);
    response.set({ 'Cache-Control': 'private, no-store', Location: address });
    response.status(302).end();
    return response.req.headers.range === undefined ? sizeInBytes : null;
  }
  const body = await open().catch(refuse);
  // What is stored may be shorter.
  let sent = 0;
  body.on('data', (chunk: Buffer) => (sent += chunk.length));
  let isFinished = false;
  response.once('finish', () => (isFinished = true));
  try {
    await pipeline(body, endAfter(sizeInBytes), response);
  } catch (error) {
    if (!isPrematureClose(error)) throw error;
  }
  return isFinished && sent === sizeInBytes ? sent : null;
}

/**
 * Ends with the last byte, not when its source ends, which storage reports one read later: by then, the client may have closed
 * the connection, and a complete response would look like an interrupted one.
 */
function endAfter(sizeInBytes: number): Transform {
  let passed = 0;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      passed += chunk.length;
      this.push(chunk);
      if (passed === sizeInBytes) this.push(null);
      done();
    },
  });
}
