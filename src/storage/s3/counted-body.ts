import type { Readable } from 'node:stream';

/** Reads the body of an upload, and distinguishes its failures from those of the upload. */
export class CountedBody {
  /** Bytes read so far. */
  sizeInBytes = 0;
  /** Why the body failed; `null`: it has not. */
  error: Error | null = null;

  constructor(private readonly body: Readable) {}

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
      yield bytes;
    }
  }
}
