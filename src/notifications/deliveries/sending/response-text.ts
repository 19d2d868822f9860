import type { Readable } from 'node:stream';

/** Bytes of a response that are read at most: the rest does not decide anything. */
const MAX_READ = 64 * 1024;
/** Bytes that are kept. */
const MAX_KEPT = 4096;

/**
 * Reads a response until its end, or until 64 kB, and then ends the connection.
 *
 * @returns the first 4 kB as UTF-8, without characters that the database cannot store
 * @throws what the stream fails with
 */
export async function readStart(stream: Readable): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the stream.
  for await (const chunk of stream) {
    if (size < MAX_KEPT) chunks.push(chunk as Buffer);
    size += (chunk as Buffer).length;
    if (size >= MAX_READ) break;
  }
  // A decoder that expects more leaves out a character that was cut.
  const text = new TextDecoder().decode(Buffer.concat(chunks).subarray(0, MAX_KEPT), {
    stream: size > MAX_KEPT,
  });
  return text.replaceAll('\0', '');
}
