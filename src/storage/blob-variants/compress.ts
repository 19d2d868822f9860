import { addAbortSignal, pipeline, type Readable, type Transform } from 'node:stream';
import { constants, createBrotliCompress, createGzip } from 'node:zlib';
import type { BlobEncoding } from './blob-variant.entity.js';

/** `quick`: about as fast as files are read. `best`: as small as it gets for a reasonable time. */
export type Effort = 'quick' | 'best';

/** docs/performance.md has what these cost and bring. */
const BROTLI_QUALITY: Readonly<Record<Effort, number>> = { quick: 5, best: 10 };
const GZIP_LEVEL: Readonly<Record<Effort, number>> = { quick: 6, best: 9 };

/** How to compress. */
export interface Compression {
  readonly encoding: BlobEncoding;
  readonly effort: Effort;
  /** Length of what is compressed. */
  readonly sizeInBytes: number;
}

/**
 * Compresses a stream. The work is done by the threads of zlib; a failing or aborted source fails the result.
 *
 * @param signal ends it at once
 */
export function compress(source: Readable, compression: Compression, signal: AbortSignal): Readable {
  const encoder = encoderOf(compression);
  pipeline(addAbortSignal(signal, source), encoder, () => undefined);
  return encoder;
}

function encoderOf({ encoding, effort, sizeInBytes }: Compression): Transform {
  if (encoding === 'gzip') return createGzip({ level: GZIP_LEVEL[effort] });
  return createBrotliCompress({
    params: {
      [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY[effort],
      [constants.BROTLI_PARAM_SIZE_HINT]: sizeInBytes,
    },
  });
}
