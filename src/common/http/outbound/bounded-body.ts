import { Transform, type TransformCallback } from 'node:stream';
import { OutboundRefusedError } from './outbound-refused.error.js';

/** A response body that fails instead of growing beyond a limit. */
export class BoundedBody extends Transform {
  /** From the server, so far. */
  receivedBytes = 0;

  constructor(
    private readonly host: string,
    private readonly maxBytes: number,
  ) {
    super();
    // A body that no one reads may fail without ending the process.
    this.on('error', () => undefined);
  }

  tooLarge(): OutboundRefusedError {
    return new OutboundRefusedError(
      'size',
      `The response of ${this.host} is larger than ${this.maxBytes} bytes.`,
    );
  }

  /** The error of a body that is not complete in time. */
  late(): OutboundRefusedError {
    return new OutboundRefusedError('timeout', `${this.host} did not respond completely in time.`);
  }

  /** The error of a body that arrives too slowly. */
  slow(): OutboundRefusedError {
    return new OutboundRefusedError('timeout', `${this.host} sends too slowly, or nothing at all.`);
  }

  /** Reads everything as UTF-8. @throws OutboundRefusedError */
  async text(): Promise<string> {
    const chunks: Buffer[] = [];
    for await (const chunk of this) chunks.push(chunk as Buffer);
    return Buffer.concat(chunks).toString('utf8');
  }

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    this.receivedBytes += chunk.length;
    if (this.receivedBytes > this.maxBytes) done(this.tooLarge());
    else done(null, chunk);
  }
}
