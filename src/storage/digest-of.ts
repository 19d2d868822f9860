import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import type { ObjectDigest } from './object-storage.js';

/**
 * Reads a stream to its end, for its length and its hash.
 *
 * @param pace is waited for after each piece, with its length in bytes
 */
export async function digestOf(
  body: Readable,
  pace?: (bytes: number) => Promise<void>,
): Promise<ObjectDigest> {
  const hash = createHash('sha256');
  let sizeInBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    hash.update(chunk);
    sizeInBytes += chunk.length;
    await pace?.(chunk.length);
  }
  return { sha256: hash.digest('hex'), sizeInBytes };
}
