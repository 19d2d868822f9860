import { createHash, type Hash } from 'node:crypto';
import { Transform, type TransformCallback } from 'node:stream';
import { DamagedFileError } from '../../common/errors/app-error.js';

/**
 * Passes on the bytes of an object, and fails with `DamagedFileError` when they are others than expected: before the last of
 * them have passed, so that a response that announces their length is never complete then.
 *
 * It ends with the last byte, not when its source ends, which storage reports one read later: by then, the client may have
 * closed the connection, and a complete response would look like an interrupted one.
 */
export class ExactBody extends Transform {
  /** Whether all bytes were compared, and are the expected ones. */
  isVerified = false;
  private readonly hash: Hash | null;
  private passed = 0;

  /** @param sha256 lower-case hexadecimal; `null`: only the length is compared */
  constructor(
    private readonly sizeInBytes: number,
    private readonly sha256: string | null,
  ) {
    super();
    this.hash = sha256 === null ? null : createHash('sha256');
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.passed += chunk.length;
    this.hash?.update(chunk);
    const isLast = this.passed >= this.sizeInBytes;
    if (isLast && !this.matches()) return done(new DamagedFileError());
    this.push(chunk);
    if (isLast) this.push(null);
    done();
  }

  override _flush(done: TransformCallback): void {
    done(this.passed < this.sizeInBytes ? new DamagedFileError() : null);
  }

  private matches(): boolean {
    if (this.passed > this.sizeInBytes) return false;
    if (this.hash === null) return true;
    this.isVerified = this.hash.digest('hex') === this.sha256;
    return this.isVerified;
  }
}
