import { createHash } from 'node:crypto';
import { pipeline, type Readable, Transform } from 'node:stream';
import { toStorageFailure } from '../storage-errors.js';

/** Passes a stream on while its SHA-256 is computed. A failing source destroys what reads it. */
export function hashed(source: Readable): { body: Readable; sha256(): string } {
  const hash = createHash('sha256');
  const body = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      done(null, chunk);
    },
    // A failure to store the bytes destroys the source, whose reader must learn of it in the same words.
    destroy(error, done) {
      done(toStorageFailure(error) ?? error);
    },
  });
  pipeline(source, body, () => undefined);
  return { body, sha256: () => hash.digest('hex') };
}
