import { createHash } from 'node:crypto';
import { type Readable, PassThrough, pipeline } from 'node:stream';

/** Reads the body of an upload, and distinguishes its failures from those of the upload. */
export class CountedBody {
  /** Bytes read so far. */
  sizeInBytes = 0;
  private readonly hash = createHash('md5');
  /** Why the body failed; `null`: it has not. */
  error: Error | null = null;

  /** @param hashedBytes longer bodies are not hashed to their end */
  constructor(
    private readonly body: Readable,
    private readonly hashedBytes: number,
  ) {}

  /** MD5 in hexadecimal of a body that was read to its end; `null`: it was longer than what is hashed. */
  md5(): string | null {
    return this.sizeInBytes > this.hashedBytes ? null : this.hash.digest('hex');
  }

  async *read(): AsyncGenerator<Buffer> {
    const chunks = this.body[Symbol.asyncIterator]() as AsyncIterator<Buffer | string>;
    for (;;) {
      // Only what the body throws: an upload that gives up throws at `yield`.
      const { done, value } = await chunks.next().catch((error: Error) => {
        this.error = error;
        throw error;
      });
      if (done) return;
      const bytes = typeof value === 'string' ? Buffer.from(value) : value;
      this.sizeInBytes += bytes.length;
      if (this.sizeInBytes <= this.hashedBytes) this.hash.update(bytes);
      yield bytes;
    }
  }
}

/**
 * Passes on the content of a response. Fails when the content is cut, and when the store sends nothing for a while
 * although the reader waits for it; a reader may take its time.
 *
 * @param stallTimeout in milliseconds
 * @param failed translates the error of the response
 * @returns a stream to read to its end or to destroy
 */
export function readBody(body: Readable, stallTimeout: number, failed: (error: unknown) => Error): Readable {
  let cause: unknown;
  body.once('error', (error) => (cause = error));
  const content = new PassThrough({
    // A reader that gives up may have its own error.
    destroy: (error, done) => done(error !== null && error === cause ? failed(error) : error),
  });
  let lastProgress = performance.now();
  body.on('data', () => (lastProgress = performance.now()));
  const timer = setInterval(() => {
    if (content.writableNeedDrain) lastProgress = performance.now();
    if (performance.now() - lastProgress > stallTimeout) {
      body.destroy(new Error(`nothing arrived for ${stallTimeout} ms`));
    }
  }, stallTimeout / 4).unref();
  content.once('close', () => clearInterval(timer));
  pipeline(body, content, () => undefined);
  return content;
}
