import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Response } from 'express';
import { isPrematureClose } from './is-premature-close.js';

/** The headers of a file that is sent as a download. */
interface ExportedFile {
  readonly contentType: string;
  /** Without characters that have a meaning in `Content-Disposition`. */
  readonly name: string;
}

/**
 * Sends batches of objects as a file, while they are read. A failure before the first batch can still become an error
 * response. A client that leaves early is no error.
 *
 * @param toText the content of the file
 */
export async function sendExport<T>(
  response: Response,
  { contentType, name }: ExportedFile,
  batches: AsyncGenerator<T[]>,
  toText: (batches: AsyncIterable<T[]>) => AsyncIterable<string>,
): Promise<void> {
  const first = await batches.next();
  response.set({ 'Content-Type': contentType, 'Content-Disposition': `attachment; filename="${name}"` });
  if (response.req.method === 'HEAD') {
    response.end();
    return;
  }
  const text = toText(startingWith(first, batches));
  try {
    await pipeline(Readable.from(text, { objectMode: false }), response);
  } catch (error) {
    if (!isPrematureClose(error)) throw error;
  }
}

async function* startingWith<T>(first: IteratorResult<T>, others: AsyncIterable<T>): AsyncGenerator<T> {
  if (first.done === true) return;
  yield first.value;
  yield* others;
}
