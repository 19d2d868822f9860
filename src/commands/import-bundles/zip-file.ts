import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream, openAsBlob } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { ReadableStream } from 'node:stream/web';

/** Largest zip, in bytes: what a bundle's file may have. */
const MAX_BYTES = 1024 ** 3;

/** How a zip begins, in hexadecimal: with a file, or, when it is empty, with its end. */
const ZIP_STARTS = ['504b0304', '504b0506'];

/** A zip on disk. */
export interface ZipFile {
  readonly path: string;
  readonly sizeInBytes: number;
  /** Lower-case hexadecimal. */
  readonly sha256: string;
  /** Reads from disk what is used of it. */
  readonly content: Blob;
}

/** @throws Error when it is no zip, or too large */
export async function openZip(path: string): Promise<ZipFile> {
  const { size } = await stat(path);
  if (size > MAX_BYTES) throw new Error(`The zip is larger than ${MAX_BYTES} bytes.`);
  const content = await openAsBlob(path, { type: 'application/zip' });
  if (!(await isZip(path))) throw new Error('The file is not a zip.');
  const hash = createHash('sha256');
  await pipeline(createReadStream(path), hash);
  return { path, sizeInBytes: size, sha256: hash.digest('hex'), content };
}

export async function isZip(path: string): Promise<boolean> {
  const start = (await openAsBlob(path)).slice(0, 4);
  return ZIP_STARTS.includes(Buffer.from(await start.arrayBuffer()).toString('hex'));
}

/** Downloads a zip to a file. @throws Error when the address does not answer with it */
export async function download(url: string, path: string): Promise<void> {
  const response = await fetch(url).catch((error: unknown) => {
    throw new Error('The address cannot be reached.', { cause: error });
  });
  if (!response.ok || response.body === null) throw new Error(`The address answers ${response.status}.`);
  await pipeline(
    Readable.fromWeb(response.body as ReadableStream<Uint8Array>),
    async function* (chunks: AsyncIterable<Uint8Array>) {
      let size = 0;
      for await (const chunk of chunks) {
        size += chunk.length;
        if (size > MAX_BYTES) throw new Error(`The zip is larger than ${MAX_BYTES} bytes.`);
        yield chunk;
      }
    },
    createWriteStream(path),
  );
}
