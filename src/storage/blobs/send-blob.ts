import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import type { Blob } from './blob.entity.js';

/**
 * Streams a blob as the answer: with its length, its SHA-256 as `ETag`, and 304 when the client has it already.
 *
 * @param headers further headers; `Content-Type` and `Cache-Control` among them
 */
export async function sendBlob(
  response: Response,
  blob: Pick<Blob, 'sha256' | 'sizeInBytes'>,
  open: () => Promise<Readable>,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  response.set({ ...headers, ETag: `"${blob.sha256}"` });
  if (response.req.fresh) {
    response.status(304).end();
    return;
  }
  response.setHeader('Content-Length', String(blob.sizeInBytes));
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  const body = await open().catch((error: unknown) => {
    // What describes the bytes must not describe the error that is sent instead.
    for (const name of ['ETag', 'Content-Length', ...Object.keys(headers)]) response.removeHeader(name);
    throw error;
  });
  try {
    await pipeline(body, response);
  } catch (error) {
    // A client that goes away in the middle is no failure of ours.
    if (!isPrematureClose(error)) throw error;
  }
}

function isPrematureClose(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE';
}
